/* Where on its box each arrow leaves or arrives: no two arrows at the same place.
 *
 * Within a column arrows leave a forward node at its bottom and arrive at its top; on the way back it is the other way
 * round. To another column they leave and arrive at the sides. An end of a way is { box, side, at }: `at` counts from
 * the middle of that side. Read before: lanes.js, which calls this.
 */

const PORT = 7, TALL = 17; // from one port to the next on a side: of bare arrows, and where a label stands above one
const BESIDE_PORT = 10; // from one port to the next at a top or bottom: the heads of two arrows do not touch
const DROP = 14; // between arrows of one pair, which run down side by side
const CORNER = 6;
const ROUND = { data: 0.5, parameter: 0.5, accumulate: 0.5, store: 0 };

const bends = ({ kind }) => kind === "bow" || kind === "skip";
const isAtSide = (side) => side === "left" || side === "right";
/** The room of a port: more where a label stands, at one end of an arrow, or both ends if it runs along a row. */
const step = (way, end) => (way.label && (way.named?.box === end.box || isLevel(way)) ? TALL : PORT);
const kept = (number, low, high) => Math.min(Math.max(number, low), high);

/** Group by a key that a function gives. */
function groupsOf(all, key) {
  const groups = new Map();
  for (const one of all) {
    const name = key(one);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(one);
  }
  return groups;
}

const radiusOf = ({ kind, width, height }) => Math.min(width, height) * (ROUND[kind] ?? 0) || (kind in ROUND ? 0 : CORNER);

/** How far from the middle of a side a port may be. */
const reachOf = ({ width, height }, side) => (isAtSide(side) ? height : width) / 2 - 5;

/** The point on the outline of a box. */
function pointAt({ box, side, at }) {
  const radius = radiusOf(box);
  const flat = (isAtSide(side) ? box.height : box.width) / 2 - radius;
  const past = kept(Math.abs(at) - flat, 0, radius);
  const inset = radius - Math.sqrt(radius * radius - past * past);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  if (side === "left") return [box.x + inset, y + at];
  if (side === "right") return [box.x + box.width - inset, y + at];
  return [x + at, side === "top" ? box.y + inset : box.y + box.height - inset];
}

/** Places in order, each as near to what it wants as the one beside it allows. */
function spaced(wanted, gaps, low, high) {
  const forth = [...wanted];
  const back = [...wanted];
  for (let one = 1; one < forth.length; one++) forth[one] = Math.max(forth[one], forth[one - 1] + gaps[one]);
  for (let one = back.length - 2; one >= 0; one--) back[one] = Math.min(back[one], back[one + 1] - gaps[one + 1]);
  const places = forth.map((place, one) => (place + back[one]) / 2);
  places.forEach((place, one) => { places[one] = Math.max(place, one ? places[one - 1] + gaps[one] : low); });
  for (let one = places.length - 1; one >= 0; one--) places[one] = Math.min(places[one], one + 1 < places.length ? places[one + 1] - gaps[one + 1] : high);
  return places;
}

/** Make boxes as high as the ports at their sides need. */
function growBoxes(ends) {
  for (const all of groupsOf(ends.filter(({ end }) => isAtSide(end.side)), ({ end }) => `${end.box.id} ${end.side}`).values()) {
    const { box } = all[0].end;
    const each = [...groupsOf(all, ({ way, end }) => end.shared ?? way.place).values()].map(([one]) => one);
    box.height = Math.max(box.height, each.length > 1 ? each.reduce((sum, { way, end }) => sum + step(way, end), 10) : 0);
  }
}

/** Where the arrows of one pair run, from the middle: apart, and with room for their labels to the right of the others. */
function dropsAt(ways) {
  const places = [0];
  ways.slice(1).forEach((way, one) => places.push(places[one] + DROP + (one ? ways[one].wide + 4 : 0)));
  return places.map((place) => place - places.at(-1) / 2);
}

/* ---- ports at the sides: of arrows to other columns --------------------------------------------------------------- */

class SidePorts {
  constructor(ways, columns) {
    this.columns = columns;
    this.used = new Map(); // row and channel -> the lines that run into that channel: their height, and the room that they take above
    const [level, others] = [[], []];
    for (const way of ways.filter(({ kind }) => kind === "skip")) this.take(way, way.head, reachOf(way.head.box, "left"));
    for (const way of ways.filter(({ kind }) => kind !== "skip")) (isLevel(way) && !way.bundle ? level : others).push(way);
    this.leaving = groupsOf(others.flatMap((way) => [way.tail, way.head].map((end) => ({ way, end, down: isAbove(end, end === way.tail ? way.head : way.tail) }))),
      ({ end: { box, side } }) => box.id + side);
    for (const all of groupsOf(level, (way) => this.inner(way).box.id + this.inner(way).side).values()) this.placeLevel(all);
    for (const way of level) if (!way.straight) this.take(way, this.outer(way), 0);
    for (const way of others) {
      const down = isAbove(way.tail, way.head) ? 1 : -1;
      for (const [end, sign] of [[way.tail, down], [way.head, -down]])
        if (end.at === undefined || !end.shared) this.take(way, end, way.bundle ? 0 : sign * reachOf(end.box, end.side));
    }
  }

  /** Of the two ends the one at a spine, which may have several beside it. */
  inner({ tail, head }) {
    return this.columns.isSpine(tail.box.column) ? tail : head;
  }

  outer(way) {
    return this.inner(way) === way.tail ? way.head : way.tail;
  }

  /** From where to where on a side the ports of level arrows are: between those of arrows that leave for other rows. */
  room({ box, side }) {
    const taken = (isDown) => (this.leaving.get(box.id + side) ?? []).filter(({ down, end }) => down === isDown && !end.shared)
      .reduce((sum, { way, end }) => sum + step(way, end), 0);
    return [taken(false) - reachOf(box, side), reachOf(box, side) - taken(true)];
  }

  /** Arrows along one row: straight where the boxes are level. */
  placeLevel(ways) {
    const { box, side } = this.inner(ways[0]);
    const reach = reachOf(box, side);
    const sorted = [...ways].sort((one, other) => this.outer(one).box.dy - this.outer(other).box.dy || one.place - other.place);
    const wanted = sorted.map((way) => kept(this.outer(way).box.dy - box.dy, -reach, reach));
    spaced(wanted, sorted.map((way) => step(way, this.inner(way))), ...this.room(this.inner(ways[0]))).forEach((at, place) => {
      const [way, outer] = [sorted[place], this.outer(sorted[place])];
      this.inner(way).at = at;
      const there = box.dy + at - outer.box.dy;
      const [low, high] = this.room(outer);
      way.straight = there >= Math.min(low, 0) && there <= Math.max(high, 0);
      if (way.straight) outer.at = there;
      for (const used of this.heights(way, outer)) used.push({ at: box.dy + at, side: way.straight ? "" : side, room: step(way, outer) });
    });
  }

  /** What is used of the channels from the lane of a way to one of its ends. */
  heights(way, end) {
    const channels = [way.tail, way.head].map(({ box, side }) => box.column + (side === "right"));
    const own = end.box.column + (end.side === "right");
    const all = way.kind === "across" ? [Math.min(...channels), Math.max(...channels)] : [own, own];
    return Array.from({ length: all[1] - all[0] + 1 }, (_, one) => {
      const key = `${end.box.row} ${all[0] + one}`;
      if (!this.used.has(key)) this.used.set(key, []);
      return this.used.get(key);
    });
  }

  /** Take the height nearest to the wanted one at which no other arrow runs, nor through its label. */
  take(way, end, wanted) {
    const used = this.heights(way, end);
    const { box: { dy }, side } = end;
    const reach = reachOf(end.box, side);
    const room = step(way, end);
    const apart = (at, one) => (one.side && one.side !== side ? 3 : (dy + at < one.at ? one.room : room) - 1);
    const free = (at, least) => used.flat().every((one) => Math.abs(one.at - dy - at) >= Math.min(least, apart(at, one)));
    const tries = Array.from({ length: 2 * Math.ceil(reach) + 2 }, (_, one) => wanted + (one % 2 ? -1 : 1) * Math.ceil(one / 2) * 2);
    const inside = tries.filter((at) => Math.abs(at) <= reach);
    end.at = inside.find((at) => free(at, TALL)) ?? inside.find((at) => free(at, 3)) ?? kept(wanted, -reach, reach);
    if (end.shared) for (const one of end.all) one.at = end.at;
    for (const one of used) one.push({ at: dy + end.at, side, room });
  }
}

/** Whether an arrow runs along one row, from column to column. */
const isLevel = ({ kind, tail: { box: one }, head: { box: other } }) => kind === "across" && one.row === other.row && one.column !== other.column;
const isAbove = ({ box: one }, { box: other }) => one.row < other.row || (one.row === other.row && one.dy < other.dy);

/* ---- ports at tops and bottoms: within a column, or from strip to strip ------------------------------------------- */

/** Place the ends in the gap between two boxes of a column: straight arrows in the middle, then those that turn to another
 * strip, each on the side that it turns to, then those to lanes, in their order. `outwards`: the side of the lanes.
 */
function placeEndPorts(ends, outwards) {
  const drops = ends.filter(({ way, end }) => way.kind === "drop" && end === way.tail).map(({ way }) => way);
  const places = drops.length ? dropsAt(drops) : [];
  drops.forEach((way, one) => { way.tail.at = way.head.at = places[one]; });
  const edge = (side) => drops.reduce((most, way, one) => Math.max(most, side * places[one] + (wordsOf(way) === side ? way.wide + 6 : 0)), 0);
  const turns = ends.filter(({ way, end }) => turnsAt(way, end)).sort((one, other) => strips(one) - strips(other) || one.way.place - other.way.place);
  const bows = ends.filter(({ way, end }) => bowsAt(way, end)).sort((one, other) => (one.way.passes ?? 0) - (other.way.passes ?? 0) || one.way.lane - other.way.lane);
  const boxes = [...groupsOf(bows, ({ end }) => `${end.box.id} ${end.side}`).values()];
  const groups = boxes.map((some) => [...groupsOf(some, ({ way, end }) => end.shared ?? way.place).values()]);
  for (const side of [-outwards, outwards]) {
    const here = turns.filter((one) => sideOf(one) === side);
    const many = here.length + (side === outwards ? Math.max(0, ...groups.map((all) => all.length)) : 0);
    const alone = !drops.length && (side === outwards ? here.length === turns.length : !bows.length && here.length === turns.length);
    let at = drops.length ? edge(side) + BESIDE_PORT : alone ? (-BESIDE_PORT * (many - 1)) / 2 : BESIDE_PORT / 2;
    for (const { way, end } of here) {
      end.at = side * at;
      at += BESIDE_PORT + (isWordy(way, end) ? way.wide + 4 : 0);
    }
    for (const all of side === outwards ? groups : []) {
      if (alone && !here.length) at = (-BESIDE_PORT * (all.length - 1)) / 2;
      all.forEach((group, one) => { for (const { end } of group) end.at = side * (at + one * BESIDE_PORT); });
    }
  }
  return groups;
}

const strips = ({ way }) => Math.abs(way.tail.box.column - way.head.box.column);
const turnsAt = ({ kind, tail }, end) => kind === "early" || kind === "late" || (kind === "round" && end === tail);
const bowsAt = (way, end) => !isAtSide(end.side) && (bends(way) || (way.kind === "round" && end === way.head));

/** Which side the other end of a way is on. */
const sideOf = ({ way: { tail, head }, end }) => Math.sign((end === tail ? head : tail).box.column - end.box.column);

/** Whether the label of a way that turns stands at this end: the one that it leads to. */
const isWordy = (way, end) => Boolean(way.label) && end === way.head && turnsAt(way, end);

/** Which side the label of a straight arrow stands on: of several side by side the first has it on its left. */
const wordsOf = ({ label, beside, isDown }) => (!label ? 0 : beside === "several" || (beside === "none" && !isDown) ? -1 : 1);
