/* Where on its box each arrow leaves or arrives: no two arrows at the same place.
 *
 * Within a column arrows leave a forward node at its bottom and arrive at its top; on the way back it is the other way
 * round. To another column they leave and arrive at the sides. An end of a way is { box, side, at }: `at` counts from
 * the middle of that side. Read before: lanes.js, which calls this.
 */

const PORT = 7, TALL = 13; // from one port to the next on a side: of bare arrows, and where a label stands above one
const BESIDE_PORT = 10; // from one port to the next at a top or bottom: the heads of two arrows do not touch
const DROP = 14; // between arrows of one pair, which run down side by side
const CORNER = 6;
const ROUND = { data: 0.5, parameter: 0.5, accumulate: 0.5, store: 0 };

const bends = ({ kind }) => kind === "bow" || kind === "skip";
const isAtSide = (side) => side === "left" || side === "right";
const step = (way) => (way.label ? TALL : PORT);
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

const radiusOf = ({ kind, height }) => height * (ROUND[kind] ?? 0) || (kind in ROUND ? 0 : CORNER);

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
  const by = Math.max(low - places[0], Math.min(0, high - places.at(-1)));
  return places.map((place) => place + by);
}

/** Make boxes as high and as wide as their ports need; `sides` and `ends` are ways by the side of a box. */
function growBoxes(ends) {
  for (const all of groupsOf(ends, ({ end }) => `${end.box.id} ${end.side}`).values()) {
    const { box, side } = all[0].end;
    const each = [...groupsOf(all, ({ way, end }) => end.shared ?? way.place).values()].map(([one]) => one);
    if (isAtSide(side)) {
      box.height = Math.max(box.height, each.length > 1 ? each.reduce((sum, { way }) => sum + step(way), 10) : 0);
    } else {
      const bows = each.filter(({ way }) => bends(way)).length;
      const drops = each.filter(({ way }) => way.kind === "drop").map(({ way }) => way);
      const half = (drops.length ? Math.max(...dropsAt(drops)) : -BESIDE_PORT / 2) + BESIDE_PORT * bows;
      box.width = Math.max(box.width, 2 * half + 10);
    }
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
  constructor(ways) {
    this.used = new Map(); // row and channel -> heights at which arrows run into that channel
    const [level, others] = [[], []];
    for (const way of ways.filter(({ kind }) => kind === "skip")) this.take(way.head, reachOf(way.head.box, "left"), step(way));
    for (const way of ways.filter(({ kind }) => kind !== "skip")) (way.tail.box.row === way.head.box.row && !way.bundle ? level : others).push(way);
    for (const all of groupsOf(level, (way) => this.inner(way).box.id + this.inner(way).side).values()) this.placeLevel(all);
    for (const way of level) if (!way.straight) this.take(this.outer(way), 0, step(way));
    for (const way of others) {
      const down = way.head.box.row > way.tail.box.row ? 1 : -1;
      for (const [end, sign] of [[way.tail, down], [way.head, -down]])
        if (end.at === undefined || !end.shared) this.take(end, way.bundle ? 0 : sign * reachOf(end.box, end.side), step(way));
    }
  }

  /** Of the two ends the one at a spine, which may have several beside it. */
  inner({ tail, head }) {
    return COLUMNS.isSpine(tail.box.column) ? tail : head;
  }

  outer(way) {
    return this.inner(way) === way.tail ? way.head : way.tail;
  }

  /** Arrows along one row: straight where the boxes are level. */
  placeLevel(ways) {
    const { box, side } = this.inner(ways[0]);
    const reach = reachOf(box, side);
    const sorted = [...ways].sort((one, other) => this.outer(one).box.dy - this.outer(other).box.dy || one.place - other.place);
    const wanted = sorted.map((way) => kept(this.outer(way).box.dy - box.dy, -reach, reach));
    spaced(wanted, sorted.map(step), -reach, reach).forEach((at, place) => {
      const outer = this.outer(sorted[place]);
      this.inner(sorted[place]).at = at;
      this.heights(outer).push(box.dy + at);
      const there = box.dy + at - outer.box.dy;
      sorted[place].straight = Math.abs(there) <= reachOf(outer.box, outer.side);
      if (sorted[place].straight) outer.at = there;
    });
  }

  heights({ box, side }) {
    const key = `${box.row} ${box.column + (side === "right")}`;
    if (!this.used.has(key)) this.used.set(key, []);
    return this.used.get(key);
  }

  /** Take the height nearest to the wanted one at which no other arrow runs. */
  take(end, wanted, apart) {
    const heights = this.heights(end);
    const { box: { dy }, side } = end;
    const reach = reachOf(end.box, side);
    const free = (at, gap) => heights.every((one) => Math.abs(one - dy - at) >= gap);
    const tries = Array.from({ length: 60 }, (_, one) => wanted + (one % 2 ? -1 : 1) * Math.ceil(one / 2) * 2);
    const inside = tries.filter((at) => Math.abs(at) <= reach);
    end.at = inside.find((at) => free(at, apart - 1)) ?? inside.find((at) => free(at, 3)) ?? kept(wanted, -reach, reach);
    if (end.shared) for (const one of end.all) one.at = end.at;
    heights.push(dy + end.at);
  }
}

/* ---- ports at tops and bottoms: within a column ------------------------------------------------------------------- */

/** Place the ends of `ways` at one top or bottom: straight arrows in the middle, those to lanes beside them, in order. */
function placeEndPorts(ends, outwards) {
  const drops = ends.filter(({ way }) => way.kind === "drop").map(({ way }) => way);
  const places = drops.length ? dropsAt(drops) : [];
  drops.forEach((way, one) => { way.tail.at = way.head.at = places[one]; });
  const bows = ends.filter(({ way }) => bends(way)).sort((one, other) => one.way.lane - other.way.lane);
  const groups = [...groupsOf(bows, ({ way, end }) => end.shared ?? way.place).values()];
  const { box, side } = ends[0].end;
  const first = drops.length ? Math.max(...places) : 0;
  const room = reachOf(box, side) + 2 - first;
  const apart = Math.min(BESIDE_PORT, room / groups.length);
  const start = drops.length ? first + apart : (-apart * (groups.length - 1)) / 2;
  groups.forEach((group, one) => {
    for (const { end } of group) end.at = outwards * (start + one * apart);
  });
  return groups;
}
