/* The ways of arrows: each has a port at both ends (ports.js) and a lane that no other arrow lies on.
 *
 * Within a column an arrow to the next box drops straight; one to a box farther on bows around those between: out of the
 * box into a track between two rows, along a lane in the channel beside the column, and back. From strip to strip an arrow
 * drops in the strip where nothing stands between, and turns, early or late, into a track of its own between two rows; if
 * there is no such strip it goes round, by a lane. An arrow within a frame stays in it. An arrow to another column, not of operators, goes across the
 * channel between, along a lane only where the two ends are not level. Where very many arrows bow to or from one node they
 * are one bundle, with one lane. Lanes that are near to a column are short, so that few cross. Read next: ways.js.
 */

const LANE = 9, TRACK = 8, FIRST = 13, OUT = 7; // between lanes, between tracks, and from a box to its first track: with the head of an arrow, and without
const HIGH = 12; // the height of a label
const BESIDE_SUM = 60; // a label from sum to sum, at most, to stand on their right: two numbers
const BUNDLE = 6; // more arrows than these that bow into one node, or out of one, are drawn as a bundle
const CROSSED = 28, MIRROR = 64, ASIDE = 34; // the least widths of channels: forward, between the sides, on the way back

class Lanes {
  constructor(layout) {
    this.layout = layout;
    this.ways = layout.edges.map((edge, place) => this.planned(edge, place));
    this.across = this.ways.filter(({ kind }) => kind === "across" || kind === "through");
    this.bundle();
    this.pair();
    this.ends = this.ways.flatMap((way) => [{ way, end: way.tail }, { way, end: way.head }]);
    growBoxes(this.ends);
    this.growForPorts();
    this.countTracks();
  }

  /** How an arrow will run: its kind, its two ends, its label. */
  planned(edge, place) {
    const { boxes, places } = this.layout;
    const [tail, head] = [boxes.get(edge.tail), boxes.get(edge.head)];
    const label = edge.chip && edge.kind !== "cut" ? "" : this.layout.labelOf(edge);
    const isDown = this.isDown(tail.column);
    const way = { edge, place, label, wide: label ? widthOf(label) : 0, isDown, frames: this.layout.framesOfBoth(tail, head) };
    const sides = isDown ? ["bottom", "top"] : ["top", "bottom"];
    const [from, to] = [{ box: tail, side: sides[0] }, { box: head, side: sides[1] }];
    const isWithin = places.has(tail.id) && places.has(head.id) && isDown === this.isDown(head.column);
    if (isWithin && tail.column === head.column) {
      const steps = (places.get(head.id) - places.get(tail.id)) * (isDown ? 1 : -1);
      const isSkip = edge.skips && steps > 0;
      return { ...way, named: to, column: tail.column, kind: isSkip ? "skip" : steps === 1 ? "drop" : "bow", tail: from, head: isSkip ? { box: head, side: "left" } : to };
    }
    if (isWithin && (head.row - tail.row) * (isDown ? 1 : -1) > 0) return { ...way, ...this.turned(tail, head), tail: from, head: to };
    const [forth, beside] = [tail.column < head.column, tail.column === head.column];
    const isWide = tail.kind === "accumulate" && way.wide > BESIDE_SUM; // on the left of sums there is room for labels
    from.side = (beside ? !isWide : forth) ? "right" : "left";
    to.side = beside ? from.side : forth ? "left" : "right";
    const far = Math.abs(tail.column - head.column) > 1 && !this.isFree(tail, head);
    way.named = !beside && this.isDown(Math.min(tail.column, head.column)) === forth ? from : to; // where its label stands
    if (beside && !isDown && !isWide) way.column = tail.column; // from sum to sum
    return far ? { ...way, kind: "through", frames: [], tail: from, head: to } : { ...way, kind: "across", tail: from, head: to };
  }

  /** How an arrow gets to another strip: turned where it is in fewer frames, and a branch that ends drops in its own strip. */
  turned(tail, head) {
    const { sight, columns } = this.layout;
    const [outer, inner] = [tail, head].map(({ id }) => sight.framesAround(sight.nodes.get(id)).length);
    const outwards = Math.abs(columns.keys[head.column]) > Math.abs(columns.keys[tail.column]);
    const early = { kind: "early", column: head.column };
    const late = { kind: "late", column: tail.column };
    const wanted = outer < inner || (outer === inner && outwards) ? [early, late] : [late, early];
    const { kind } = wanted.find(({ column }) => this.isEmpty(column, tail.row, head.row)) ?? { kind: "round" };
    return { kind, column: head.column };
  }

  /** Whether nothing stands in a column between two rows. */
  isEmpty(column, ...rows) {
    const [first, last] = rows.sort((one, other) => one - other);
    return this.layout.rows.slice(first + 1, last).every(({ spine }) => spine.every((box) => box.column !== column));
  }

  isDown(column) {
    return this.layout.columns.isForward(column);
  }

  /** Whether nothing stands between two boxes: on their row, but for other slots of their strip, or, from one row to another, in all of
   * the columns between. */
  isFree(one, other) {
    const [from, to] = [one.column, other.column].sort((a, b) => a - b);
    const { spine, slots } = this.layout.rows[one.row];
    const own = slots.find(({ boxes }) => boxes.includes(one) || boxes.includes(other));
    const others = slots.filter((slot) => slot === own || slot.strip !== own?.strip);
    const near = one.row === other.row ? [...spine, ...others.flatMap((slot) => slot.boxes)] : [...this.layout.boxes.values()];
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

  /** How high the tracks above and below each row are: of bows, which are near to it, then of what leads to other strips. */
  countTracks() {
    this.joint = new Set(this.ways.filter(({ kind }) => kind === "through").map(({ head }) => `${head.box.row} top`)); // it crosses both sides
    this.near = new Map();
    const bows = this.ends.filter(({ way, end }) => bowsAt(way, end));
    for (const [key, all] of groupsOf(bows, ({ end }) => `${this.zoneOf(end)} ${end.box.column}`)) {
      const zone = key.slice(0, key.lastIndexOf(" "));
      const each = [...groupsOf(all, ({ way, end }) => end.shared ?? way.place).values()].map(([one]) => one);
      const words = each.filter((one) => this.isLabelled(one)).length;
      const high = firstOf(all) + TRACK * (each.length - 1) + (HIGH + 2) * words + 3;
      this.near.set(zone, Math.max(this.near.get(zone) ?? 0, high));
    }
    this.heights = new Map(this.near);
    for (const [zone, all] of groupsOf(this.ways.filter((way) => this.zoneThrough(way)), (way) => this.zoneThrough(way)))
      this.heights.set(zone, (this.near.get(zone) ?? FIRST - TRACK) + this.levels(all) * TRACK + 3);
  }

  /** The zone in which a way has a track from column to column. */
  zoneThrough({ kind, tail, head }) {
    if (kind === "through") return this.zoneOf({ ...head, side: "top" });
    return kind === "late" ? this.zoneOf(head) : kind === "early" || kind === "round" ? this.zoneOf(tail) : "";
  }

  /** Give the tracks of one zone their levels, the longest first: it has its port the farthest out. Returns how many there are. */
  levels(ways) {
    const spans = ways.map((way) => ({ way, ...this.spanOf(way) }));
    const levels = [];
    spans.sort((one, other) => other.last - other.first - (one.last - one.first) || other.way.place - one.way.place);
    for (const { way, first, last } of spans) {
      way.level = levels.findIndex((used) => used.every((one) => last < one.first || first > one.last));
      if (way.level < 0) way.level = levels.push([]) - 1;
      levels[way.level].push({ first, last });
    }
    return levels.length;
  }

  /** From where to where such a track runs: columns, and halves for the channels between. */
  spanOf({ kind, tail, head }) {
    const channel = ({ box: { column }, side }) => column + (side === "right" ? 0.5 : -0.5);
    const from = kind === "through" ? channel(tail) : tail.box.column;
    const to = kind === "through" ? channel(head) : kind === "round" ? this.bowChannel(head.box.column) - 0.5 : head.box.column;
    return { first: Math.min(from, to), last: Math.max(from, to) };
  }

  /** The channel, counted by the column on its right, in which arrows of a column bow. */
  bowChannel(column) {
    return this.isDown(column) ? column : column + 1;
  }

  /** The channel in which an arrow bows: beyond all columns of the frames that it passes and is no part of. */
  laneChannel(way) {
    return this.bowChannel(way.head.box.column) + (way.isDown ? -1 : 1) * (way.passes ?? 0);
  }

  /** Note past how many columns arrows bow, those beside their own in which such frames are; all arrows of a bundle alike. */
  passFrames() {
    const { inside, nested, columns } = this.layout;
    const frames = nested.map((id) => {
      const rows = inside.get(id).map(({ row }) => row);
      return { boxes: new Set(inside.get(id)), columns: inside.get(id).map(({ column }) => column), first: least(rows, (row) => row), last: -least(rows, (row) => -row) };
    });
    const passed = ({ isDown, tail: { box: tail }, head: { box: head } }) => {
      const [low, high] = [tail.row, head.row].sort((one, other) => one - other);
      const there = frames.filter((one) => one.first > low && one.last < high && one.columns.includes(head.column) && !one.boxes.has(tail) && !one.boxes.has(head));
      const beyond = there.map((one) => one.columns.map((column) => (column - head.column) * (isDown ? -1 : 1)));
      return Math.max(0, ...beyond.filter((all) => !all.some((by) => by > 0 && columns.isSpine(head.column + (isDown ? -by : by)))).flat());
    };
    for (const all of groupsOf(this.ways.filter(({ kind }) => kind === "bow" || kind === "round"), ({ bundle, place }) => bundle ?? place).values()) {
      const passes = Math.max(...all.map(passed));
      for (const way of all) way.passes = passes;
    }
  }

  /** What is above or below a row, on one of the two sides of the mirror. */
  zoneOf({ box, side }) {
    return this.zone(box.row, side, this.isDown(box.column));
  }

  zone(row, side, isDown) {
    return `${row} ${side} ${this.joint.has(`${row} ${side}`) ? "both" : isDown}`;
  }

  isLabelled({ way, end }) {
    return Boolean(way.label) && end === way.head && bowsAt(way, end);
  }

  over(row, isDown) {
    return this.heights.get(this.zone(row, "top", isDown)) ?? 0;
  }

  under(row, isDown) {
    return this.heights.get(this.zone(row, "bottom", isDown)) ?? 0;
  }

  /* ---- lanes and ports --------------------------------------------------------------------------------------------- */

  placeSidePorts() {
    new SidePorts(this.ways.filter(({ tail, head }) => isAtSide(tail.side) || isAtSide(head.side)), this.layout.columns);
  }

  /** The ends at tops and bottoms, by the gap between two boxes of a column that they are in, with the side of its lanes. */
  gaps() {
    const { places } = this.layout;
    const ends = this.ends.filter(({ end }) => !isAtSide(end.side));
    const all = groupsOf(ends, ({ end: { box, side } }) => `${box.column} ${places.get(box.id) + (side === "bottom")}`);
    return [...all.values()].map((some) => ({ ends: some, outwards: this.isDown(some[0].end.box.column) ? -1 : 1 }));
  }

  /** Make boxes as wide as the ports at their tops and bottoms need. */
  growForPorts() {
    for (const { ends, outwards } of this.gaps()) {
      placeEndPorts(ends, outwards);
      for (const { end } of ends) end.box.width = Math.max(end.box.width, 2 * Math.abs(end.at) + 10);
    }
  }

  /** Give every arrow its lane, then its ports in the order of the lanes, then its tracks in the order of the ports. */
  place() {
    this.counts = Array(this.layout.columns.count + 1).fill(0);
    this.passFrames();
    this.fillLanes();
    for (const { ends, outwards } of this.gaps())
      for (const groups of placeEndPorts(ends, outwards)) this.placeTracks(groups, groups[0][0].end.side);
    for (const way of this.ways.filter((one) => this.zoneThrough(one))) {
      const zone = this.zoneThrough(way);
      const end = way.kind === "through" || way.kind === "late" ? way.head : way.tail;
      const side = zone.split(" ")[1];
      way.track = this.trackAt({ box: end.box, side }, (this.near.get(zone) ?? FIRST - TRACK) + (way.level + 1) * TRACK);
    }
  }

  /** The track of the outermost lane is the nearest to the box: so none crosses another one's port. */
  placeTracks(groups, side) {
    let out = firstOf(groups.flat());
    for (const group of [...groups].reverse()) {
      for (const { end } of group) end.track = this.trackAt({ ...end, side }, out);
      out += TRACK + (this.isLabelled(group[0]) ? HIGH + 2 : 0);
    }
  }

  trackAt({ box, side }, out) {
    const row = this.layout.rows[box.row];
    return side === "top" ? row.y - out : row.y + row.height + out;
  }

  /** Fill each channel from its spine outwards: what is in a frame first, then what stays in one row, then the short ones. */
  fillLanes() {
    const wanted = this.ways.flatMap((way) => this.requests(way));
    for (const [channel, all] of groupsOf(wanted, (one) => one.channel)) {
      const lanes = [];
      const together = [...groupsOf(all, ({ way }) => way.bundle ?? way.place).values()].map((some) => ({
        some, low: least(some, (one) => one.low), high: -least(some, (one) => -one.high), level: some[0].level, down: some[0].down,
        inner: some[0].inner, outer: some[0].outer, depth: Math.min(...some.map(({ way }) => way.frames.length)) }));
      const bows = together.filter(({ inner }) => inner === undefined);
      for (const one of together) {
        if (one.some.length > 1) for (const { way } of one.some) way.frames = way.frames.slice(way.frames.length - one.depth);
        one.across = bows.filter((other) => other.depth === one.depth && isBetterAround(other, one));
      }
      for (const one of together.sort(byLevelAndLength).sort((one, other) => other.depth - one.depth || one.across.length - other.across.length)) {
        const from = 1 + Math.max(-1, ...one.across.map(({ lane }) => lane));
        let lane = lanes.findIndex((used, place) => place >= from && used.every(({ low, high }) => one.high < low || one.low > high));
        if (lane < 0) lane = lanes.push([]) - 1;
        lanes[lane].push(one);
        one.lane = lane;
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
    if (bends(way) || way.kind === "round") {
      const [from, to] = [tail, head].map((end) => (isAtSide(end.side) ? middle(end.box) + end.at : this.trackAt(end, 3)));
      return [{ ...span(from, to), channel: this.laneChannel(way), give: give("lane") }];
    }
    if (turnsAt(way, tail) || way.kind === "drop" || way.straight) return [];
    const [from, to] = [tail, head].map(({ box, at }) => middle(box) + at);
    if (way.kind === "across") {
      const level = tail.box.row === head.box.row;
      const [inner, outer] = this.layout.columns.isSpine(tail.box.column) ? [from, to] : [to, from];
      return [{ ...span(from, to), channel: channel(this.turnOf(way)), give: give("lane"), level, inner, outer, down: from < to === tail.box.column < head.box.column }];
    }
    const gap = this.trackAt({ box: head.box, side: "top" }, this.over(head.box.row, this.isDown(head.box.column)));
    return [{ ...span(from, gap), channel: channel(tail), give: give("lane") }, { ...span(gap, to), channel: channel(head), give: give("second") }];
  }

  /** The end beside which an arrow across columns has its lane: that at a spine, for beyond it boxes may stand at other heights. */
  turnOf({ tail, head }) {
    return this.layout.columns.isSpine(tail.box.column) ? tail : head;
  }

  /* ---- from left to right ------------------------------------------------------------------------------------------ */

  /** Return the width of the channel on the left of a column. */
  channel(column) {
    const { room, columns } = this.layout;
    const least = columns.isForward(column) ? CROSSED : columns.isForward(column - 1) ? MIRROR : ASIDE;
    const need = this.labelled(column) + LANE * (this.counts[column] + 1) + 14;
    return Math.max(least, need) + room.right[column - 1][0] + room.left[column][0];
  }

  labelled(channel) {
    if (!this.wide) {
      this.wide = new Map();
      for (const way of this.across.filter(({ column }) => column === undefined))
        this.wide.set(this.labelChannel(way), Math.max(this.wide.get(this.labelChannel(way)) ?? 0, way.wide + 8));
    }
    return this.wide.get(channel) ?? 0;
  }

  /** The channel in which the label of an arrow to another column stands: at its left end forward, else at its right end. */
  labelChannel({ tail, head }) {
    const [left, right] = [tail.box.column, head.box.column].sort((one, other) => one - other);
    return this.isDown(left) ? left + 1 : right;
  }

  /** Lanes are counted from the operators that they belong to: forward those on the right of a channel; `depth`: in how many frames. */
  laneAt(channel, lane, depth = 0) {
    const { left, widths, room, columns } = this.layout;
    const out = (side, column) => room[side][column][depth] + LANE * (lane + 1);
    if (channel < columns.count && (!channel || columns.isForward(channel - 1))) return left[channel] - out("left", channel) - 2;
    return left[channel - 1] + widths[channel - 1] + out("right", channel - 1);
  }
}

/** How far from a box its first track is. */
const firstOf = (ends) => (ends.some(({ way, end }) => end === way.head) ? FIRST : OUT);

/** Whether an arrow to another column crosses fewer lines if it has its lane outside of one that bows. */
const isBetterAround = ({ low, high }, { inner, outer }) => {
  const isIn = (at) => at > low && at < high;
  return inner !== undefined && isIn(outer) && !isIn(inner);
};

const byLevelAndLength = (one, other) => {
  if (Boolean(one.level) !== Boolean(other.level)) return one.level ? -1 : 1;
  if (!one.level) return one.high - one.low - (other.high - other.low) || one.low - other.low;
  if (one.down !== other.down) return one.down ? -1 : 1;
  return one.down ? one.low - other.low : other.high - one.high;
};
