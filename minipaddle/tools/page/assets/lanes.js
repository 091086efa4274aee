/* The ways of arrows: each has a port at both ends (ports.js) and a lane that no other arrow lies on.
 *
 * Within a column an arrow to the next box drops straight; one to a box farther on bows around those between: out of the
 * box into a track between two rows, along a lane in the channel beside the column, and back. An arrow to another column
 * goes across the channel between, along a lane only where the two ends are not level. Where very many arrows bow to or
 * from one node they are one bundle, with one lane. Lanes that are near to a column are short, so that few cross.
 */

const LANE = 9, TRACK = 8, FIRST = 13; // between lanes, between tracks, and from a box to its first track: an arrow's head
const HIGH = 12; // the height of a label
const BUNDLE = 6; // more arrows than these that bow into one node, or out of one, are drawn as a bundle
const CROSSED = 28, MIRROR = 64, ASIDE = 40; // the least widths of channels: to leaves, between the sides, to gradients

class Lanes {
  constructor(layout) {
    this.layout = layout;
    this.ways = layout.edges.map((edge, place) => this.planned(edge, place));
    this.across = this.ways.filter(({ kind }) => kind === "across" || kind === "through");
    this.bundle();
    this.pair();
    this.ends = this.ways.flatMap((way) => [{ way, end: way.tail }, { way, end: way.head }]);
    growBoxes(this.ends);
    this.countTracks();
  }

  /** How an arrow will run: its kind, its two ends, its label. */
  planned(edge, place) {
    const { boxes, places } = this.layout;
    const [tail, head] = [boxes.get(edge.tail), boxes.get(edge.head)];
    const label = edge.chip && edge.kind !== "cut" ? "" : this.layout.labelOf(edge);
    const way = { edge, place, label, wide: label ? widthOf(label) : 0 };
    if (tail.column === head.column && places.has(tail.id)) {
      const ends = this.isDown(tail.column) ? ["bottom", "top"] : ["top", "bottom"];
      const steps = (places.get(head.id) - places.get(tail.id)) * (this.isDown(tail.column) ? 1 : -1);
      if (edge.skips && steps > 0) return { ...way, kind: "skip", tail: { box: tail, side: ends[0] }, head: { box: head, side: "left" } };
      return { ...way, kind: steps === 1 ? "drop" : "bow", tail: { box: tail, side: ends[0] }, head: { box: head, side: ends[1] } };
    }
    const forth = tail.column < head.column;
    const sides = tail.column === head.column ? ["right", "right"] : forth ? ["right", "left"] : ["left", "right"];
    const far = Math.abs(tail.column - head.column) > 1 && !this.isFree(tail, head);
    return { ...way, kind: far ? "through" : "across", tail: { box: tail, side: sides[0] }, head: { box: head, side: sides[1] } };
  }

  isDown(column) {
    return column === 1;
  }

  /** Whether nothing stands between two boxes: on their row, or, from one row to another, in all of the columns between. */
  isFree(one, other) {
    const [from, to] = [one.column, other.column].sort((a, b) => a - b);
    const { spine, slots } = this.layout.rows[one.row];
    const near = one.row === other.row ? [...spine, ...slots.flatMap((slot) => slot.boxes)] : [...this.layout.boxes.values()];
    return !near.some((box) => box.column > from && box.column < to);
  }

  /** Many arrows of one kind to one node, or from one, share a lane and its port. */
  bundle() {
    const free = (way) => ["bow", "across"].includes(way.kind) && !way.bundle;
    for (const end of ["head", "tail"])
      for (const [key, all] of groupsOf(this.ways.filter(free), (way) => `${end} ${way.edge[end]} ${way[end].side} ${way.edge.kind} ${way.kind}`)) {
        if (all.length <= BUNDLE) continue;
        const ends = all.map((way) => way[end]);
        for (const way of all) Object.assign(way, { bundle: key, label: "", wide: 0 });
        for (const one of ends) Object.assign(one, { shared: key, all: ends });
      }
  }

  /** Note which of the arrows that drop side by side is the first: it has its label on its other side. */
  pair() {
    const drops = this.ways.filter(({ kind }) => kind === "drop");
    for (const all of groupsOf(drops, ({ tail, head }) => `${tail.box.id} ${head.box.id}`).values())
      all.forEach((way, one) => { way.beside = all.length === 1 ? "none" : one ? "others" : "several"; });
  }

  /* ---- tracks: the parts between two rows -------------------------------------------------------------------------- */

  /** How high the tracks above and below each row are. */
  countTracks() {
    this.heights = new Map();
    for (const [key, all] of groupsOf(this.trackEnds(), ({ end, column }) => `${this.zoneOf(end)} ${column}`)) {
      const zone = key.slice(0, key.lastIndexOf(" "));
      const each = [...groupsOf(all, ({ way, end }) => end.shared ?? way.place).values()].map(([one]) => one);
      const words = each.filter((one) => this.isLabelled(one)).length;
      const high = FIRST + TRACK * (each.length - 1) + (HIGH + 2) * words + 3;
      this.heights.set(zone, Math.max(this.heights.get(zone) ?? 0, high));
    }
  }

  /** The ends of arrows that have a track; one through a column of slots has it above the row that it leads to. */
  trackEnds() {
    const bows = this.ends.filter(({ way, end }) => bends(way) && !isAtSide(end.side)).map((one) => ({ ...one, column: one.end.box.column }));
    const through = this.ways.filter(({ kind }) => kind === "through");
    return [...bows, ...through.map((way) => ({ way, end: { box: way.head.box, side: "through" }, column: 3 }))];
  }

  zoneOf({ box, side }) {
    return `${box.row} ${side}`;
  }

  isLabelled({ way, end }) {
    return Boolean(way.label) && end === way.head;
  }

  over(row) {
    return this.bowsOver(row) + (this.heights.get(`${row} through`) ?? 0);
  }

  bowsOver(row) {
    return this.heights.get(`${row} top`) ?? 0;
  }

  under(row) {
    return this.heights.get(`${row} bottom`) ?? 0;
  }

  /* ---- lanes and ports --------------------------------------------------------------------------------------------- */

  placeSidePorts() {
    new SidePorts(this.ways.filter(({ kind }) => kind !== "drop" && kind !== "bow"));
  }

  /** Give every arrow its lane, then its ports in the order of the lanes, then its tracks in the order of the ports. */
  place() {
    this.counts = Array(COLUMNS.count + 1).fill(0);
    this.fillLanes();
    const ends = this.ends.filter(({ end }) => !isAtSide(end.side));
    for (const [, all] of groupsOf(ends, ({ end }) => `${end.box.id} ${end.side}`)) {
      const { box: { column }, side } = all[0].end;
      this.placeTracks(placeEndPorts(all, this.isDown(column) ? -1 : 1), side);
    }
    for (const all of groupsOf(this.ways.filter(({ kind }) => kind === "through"), ({ head }) => head.box.row).values())
      all.forEach((way, one) => { way.track = this.trackAt({ box: way.head.box, side: "top" }, this.bowsOver(way.head.box.row) + (one + 1) * TRACK); });
  }

  /** The track of the outermost lane is the nearest to the box: so none crosses another one's port. */
  placeTracks(groups, side) {
    let out = FIRST;
    for (const group of [...groups].reverse()) {
      for (const { end } of group) end.track = this.trackAt({ ...end, side }, out);
      out += TRACK + (this.isLabelled(group[0]) ? HIGH + 2 : 0);
    }
  }

  trackAt({ box, side }, out) {
    const row = this.layout.rows[box.row];
    return side === "top" ? row.y - out : row.y + row.height + out;
  }

  /** Fill each channel from its spine outwards: what stays in one row first, then the short ones. */
  fillLanes() {
    const wanted = this.ways.flatMap((way) => this.requests(way));
    for (const [channel, all] of groupsOf(wanted, (one) => one.channel)) {
      const lanes = [];
      const together = [...groupsOf(all, ({ way }) => way.bundle ?? way.place).values()].map((some) => ({
        some, low: least(some, (one) => one.low), high: -least(some, (one) => -one.high), level: some[0].level, down: some[0].down }));
      for (const one of together.sort(byLevelAndLength)) {
        let lane = lanes.findIndex((used) => used.every(({ low, high }) => one.high < low || one.low > high));
        if (lane < 0) lane = lanes.push([]) - 1;
        lanes[lane].push(one);
        for (const { give } of one.some) give(lane);
      }
      this.counts[channel] = lanes.length;
    }
  }

  /** The lanes that a way needs: in which channel, and from where to where. */
  requests(way) {
    const { tail, head } = way;
    const give = (name) => (lane) => { way[name] = lane; };
    const span = (one, other) => ({ way, low: Math.min(one, other) - 3, high: Math.max(one, other) + 3 });
    const channel = (end) => end.box.column + (end.side === "right");
    if (bends(way)) {
      const [from, to] = [tail, head].map((end) => (isAtSide(end.side) ? middle(end.box) + end.at : this.trackAt(end, 3)));
      return [{ ...span(from, to), channel: this.isDown(tail.box.column) ? 1 : 3, give: give("lane") }];
    }
    if (way.kind === "drop" || way.straight) return [];
    const [from, to] = [tail, head].map(({ box, at }) => middle(box) + at);
    if (way.kind === "across") {
      const level = tail.box.row === head.box.row;
      return [{ ...span(from, to), channel: channel(tail), give: give("lane"), level, down: from < to === tail.box.column < head.box.column }];
    }
    const gap = this.trackAt({ box: head.box, side: "top" }, this.over(head.box.row));
    return [{ ...span(from, gap), channel: channel(tail), give: give("lane") }, { ...span(gap, to), channel: channel(head), give: give("second") }];
  }

  /* ---- from left to right ------------------------------------------------------------------------------------------ */

  /** Return the width of the channels that end at a column. */
  channel(column) {
    const { widths, room } = this.layout;
    let before = column - 1;
    while (!widths[before]) before--;
    let wide = 0;
    for (let one = before + 1; one <= column; one++) {
      const least = [0, CROSSED, MIRROR, ASIDE, ASIDE][one];
      const need = this.labelled(one) + LANE * (this.counts[one] + 1) + 14;
      wide += Math.max(least, need);
    }
    return wide + room.right[before] + room.left[column];
  }

  labelled(channel) {
    this.wide ??= new Map();
    if (!this.wide.has(channel)) {
      const here = this.across.filter(({ tail, head }) => Math.max(tail.box.column, head.box.column) === channel);
      this.wide.set(channel, here.reduce((most, { wide }) => Math.max(most, wide + 8), 0));
    }
    return this.wide.get(channel);
  }

  laneAt(channel, lane) {
    const { left, widths, room } = this.layout;
    const out = (side, column) => room[side][column] + LANE * (lane + 1);
    if (channel <= 2) return left[channel] - out("left", channel) - 2;
    return left[channel - 1] + widths[channel - 1] + out("right", channel - 1);
  }

  /* ---- paths ------------------------------------------------------------------------------------------------------- */

  /** Where all arrows and labels are, now that columns have their places. */
  follow() {
    for (const way of this.ways) {
      way.points = this.pointsOf(way);
      way.at = way.label ? this.labelAt(way) : null;
    }
  }

  move(by) {
    for (const { points, at } of this.ways) {
      for (const point of points) point[0] += by;
      if (at) [at.x, at.box.x] = [at.x + by, at.box.x + by];
    }
  }

  routes() {
    return this.ways.map((way) => ({ path: pathThrough(way.points), label: way.at, bundle: way.bundle }));
  }

  pointsOf(way) {
    const [from, to] = [pointAt(way.tail), pointAt(way.head)];
    if (way.kind === "drop" || way.straight) return [from, to];
    const channel = (end) => (isAtSide(end.side) ? end.box.column + (end.side === "right") : this.isDown(end.box.column) ? 1 : 3);
    const x = this.laneAt(channel(way.tail), way.lane);
    if (way.kind === "across") return [from, [x, from[1]], [x, to[1]], to];
    if (way.kind === "bow")
      return [from, [from[0], way.tail.track], [x, way.tail.track], [x, way.head.track], [to[0], way.head.track], to];
    if (way.kind === "skip") return [from, [from[0], way.tail.track], [x, way.tail.track], [x, to[1]], to];
    const second = this.laneAt(channel(way.head), way.second);
    return [from, [x, from[1]], [x, way.track], [second, way.track], [second, to[1]], to];
  }

  /** The upright pieces of all arrows. */
  uprights() {
    return this.ways.flatMap(({ points }) => points.slice(1).flatMap(([x, y], one) =>
      (x === points[one][0] ? [{ x, y: Math.min(y, points[one][1]), width: 0, height: Math.abs(y - points[one][1]) }] : [])));
  }

  /** A label stands beside its own arrow, where no other runs. */
  labelAt(way) {
    if (way.kind === "drop") return this.labelOfDrop(way);
    const { left, widths } = this.layout;
    if (way.kind === "bow") {
      const below = way.head.side === "bottom";
      const left = way.head.at + way.head.box.x + way.head.box.width / 2;
      const down = this.isDown(way.head.box.column);
      return placed(left + (down ? -4 : 4), way.head.track + (below ? 11 : -4), down ? "end" : "start", way.wide);
    }
    if (way.kind === "skip") return placed(pointAt(way.head)[0] - 12, pointAt(way.head)[1] - 4, "end", way.wide);
    const columns = [way.tail.box.column, way.head.box.column];
    const channel = Math.max(...columns);
    const first = channel <= 2 ? columns.indexOf(Math.min(...columns)) : columns.indexOf(channel);
    const end = [way.tail, way.head][first];
    const y = middle(end.box) + end.at - 4;
    if (channel > 2) return placed(end.box.x - (end === way.head ? 13 : 4), y, "end", way.wide);
    return placed(left[channel - 1] + widths[channel - 1] + this.layout.room.right[channel - 1] + 6, y, "start", way.wide);
  }

  /** Of several side by side the first has its label on its left. */
  labelOfDrop(way) {
    const { rows } = this.layout;
    const upper = rows[Math.min(way.tail.box.row, way.head.box.row)];
    const [x] = pointAt(way.tail);
    const atLeft = way.beside === "several" || (way.beside === "none" && !this.isDown(way.tail.box.column));
    return placed(x + (atLeft ? -6 : 6), upper.free + GAP / 2 + 4, atLeft ? "end" : "start", way.wide);
  }
}

const byLevelAndLength = (one, other) => {
  if (Boolean(one.level) !== Boolean(other.level)) return one.level ? -1 : 1;
  if (!one.level) return one.high - one.low - (other.high - other.low) || one.low - other.low;
  if (one.down !== other.down) return one.down ? -1 : 1;
  return one.down ? one.low - other.low : other.high - one.high;
};

/** A label and the box around it. */
function placed(x, y, anchor, width) {
  return { x, y, anchor, box: { x: anchor === "end" ? x - width : x, y: y - 9, width, height: HIGH } };
}

/** A path through points, all its pieces level or upright, with round corners. */
function pathThrough(points) {
  const parts = [`M${points[0]}`];
  points.slice(1, -1).forEach((corner, place) => {
    const [before, after] = [points[place], points[place + 2]];
    const apart = ([x, y]) => Math.abs(x - corner[0]) + Math.abs(y - corner[1]);
    const radius = Math.min(5, apart(before) / 2, apart(after) / 2);
    const toward = (other) => corner.map((at, axis) => at + radius * Math.sign(other[axis] - at));
    parts.push(`L${toward(before)}Q${corner} ${toward(after)}`);
  });
  return `${parts.join("")}L${points.at(-1)}`;
}
