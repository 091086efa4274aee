/* Where everything stands: the mirror, for whatever is open or closed.
 *
 * Rows never change: a node stands on the row that the whole run gave it, and rows of which nothing is seen are left out.
 * Columns: leaves and chips, forward, backward, gradients that are stored, updates. Arrows run in the channels between
 * columns and in the gaps between rows, where no box stands; long ones have a lane of their own.
 */

const LINE = 14, GAP = 28, BESIDE = 8, TITLE = 16, LANE = 9;
const MOVING = ["accumulate", "store"];
const ALONE = 24;

/** The columns from the left: a spine on each side, and what stands beside it on its outer side: leaves, chips, gradients. */
const COLUMNS = {
  spines: [1, 2],
  stores: 3,
  updates: 4,
  of: ({ side }, isBeside) => ({ forward: [1, 0], update: [4, 3] }[side] ?? [2, 3])[+isBeside],
  isSpine: (column) => column === 1 || column === 2,
  isLeft: (column) => column < 2,
  outside: (spine) => (spine === 1 ? 0 : 3),
};

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/** The row of each node that is seen, not yet numbered: that of the first of those that it stands for. */
function rowsOf(sight, isTape) {
  const { order, nodes } = sight.both;
  const { facts } = sight.pass;
  const first = (ids) => Math.min(...ids.map((id) => facts[id].row));
  const rows = new Map();
  for (const [place, id] of order.entries()) {
    const members = sight.members.get(id);
    const [base] = id.split("~");
    const ran = members.filter((one) => !LEAVES.includes(facts[one].kind) && facts[one].kind !== "store");
    rows.set(id, isTape ? place : (facts[base].row ?? first(ran.length ? ran : members)));
  }
  if (isTape) return rows;
  for (const [id, fact] of nodes) {
    const twin = sight.twinOf(id, nodes);
    const isShut = twin && fact.side !== "forward" && [id, twin].some((one) => sight.isClosedFrame(one));
    if (isShut || (twin && fact.side === "update")) rows.set(id, rows.get(twin));
  }
  return rows;
}

/** The operator that each leaf stands beside: its first user, if both are in the same frames; others have a row. */
function besideOf(sight) {
  const { nodes, edges } = sight.both;
  const beside = new Map();
  const seen = new Set();
  for (const { tail, head, kind } of edges) {
    const [leaf, user] = [nodes.get(tail), nodes.get(head)];
    if (!LEAVES.includes(leaf.kind) || kind === "saved" || user.side !== "forward" || seen.has(tail)) continue;
    seen.add(tail);
    const alike = sight.framesAround(leaf)[0] === sight.framesAround(user)[0];
    if (alike && !LEAVES.includes(user.kind)) beside.set(tail, head);
  }
  for (const [id, fact] of nodes) {
    const leaf = ["store", "update"].includes(fact.kind) ? sight.twinOf(id, nodes) : null;
    if (leaf && beside.has(leaf)) beside.set(id, beside.get(leaf));
  }
  return beside;
}

/** A leaf with a row of its own stands above the frames that it is not in. */
function liftLeaves(sight, rows, beside) {
  const { order, nodes, edges } = sight.both;
  const first = new Map(); // frame -> its first row
  for (const [id, fact] of nodes)
    if (fact.side === "forward" && !LEAVES.includes(fact.kind))
      for (const frame of sight.framesAround(fact))
        first.set(frame, Math.min(first.get(frame) ?? Infinity, rows.get(id)));
  const stores = new Map(order.filter((id) => nodes.get(id).kind === "store").map((id) => [sight.twinOf(id, nodes), id]));
  const lifted = new Set();
  for (const { tail, head } of edges) {
    const [leaf, user] = [nodes.get(tail), nodes.get(head)];
    if (!LEAVES.includes(leaf.kind) || beside.has(tail) || user.side !== "forward" || lifted.has(tail)) continue;
    lifted.add(tail);
    const own = sight.framesAround(leaf);
    const around = sight.framesAround(user).filter((frame) => !own.includes(frame));
    const row = Math.min(rows.get(tail), ...around.map((frame) => first.get(frame) - 0.5));
    for (const id of [tail, stores.get(tail)]) if (id) rows.set(id, row);
  }
}

/* ---- chips: what is used far away, or often, is drawn where it is used as a small copy of its name ---------------- */

function chipped(sight, rows) {
  const kind = (id) => sight.nodes.get(id).kind;
  const flowing = sight.edges.filter(
    (edge) => FLOWING.includes(edge.kind) && !MOVING.includes(kind(edge.tail)) && !MOVING.includes(kind(edge.head)));
  const uses = new Map();
  for (const { tail } of flowing) uses.set(tail, (uses.get(tail) ?? 0) + 1);
  const place = new Map(sight.order.map((id, number) => [id, number]));
  const chips = new Map();
  const numbers = new Map();
  const isLong = (edge) => {
    if (place.get(edge.tail) > place.get(edge.head)) return true;
    return Math.abs(rows.get(edge.head) - rows.get(edge.tail)) > (uses.get(edge.tail) > book.chips.often ? book.chips.near : book.chips.far);
  };
  const long = new Set(flowing.filter(isLong));
  for (const edge of sight.edges) if (edge.kind === "saved" && sight.nodes.get(edge.head).side === "forward") long.add(edge);
  for (const edge of sight.edges.filter((one) => long.has(one))) {
    const id = `${edge.tail}_${edge.head}`;
    if (!numbers.has(edge.tail)) numbers.set(edge.tail, numbers.size + 1);
    edge.chip = id;
    const source = sight.nodes.get(edge.tail);
    const known = chips.get(id) ?? { id, kind: "chip", side: sight.nodes.get(edge.head).side, of: edge.tail,
      user: edge.head, role: source.role, names: [], number: numbers.get(edge.tail) };
    known.names.push(...edge.names);
    chips.set(id, known);
  }
  for (const chip of chips.values())
    chip.lines = [`${cutText(tally([...new Set(chip.names)]) || sight.nodes.get(chip.of).title, book.chips.longest)} ${circled(chip.number)}`];
  return { chips, numbers };
}

const circled = (number) => (number <= 20 ? String.fromCodePoint(0x245f + number) : `(${number})`);
const cutText = (text, most) => ([...text].length > most ? `${[...text].slice(0, most - 1).join("")}…` : text);

/* ---- boxes ------------------------------------------------------------------------------------------------------- */

const brush = document.createElement("canvas").getContext("2d");

function widthOf(text, size = 11) {
  brush.font = `${size}px Helvetica, Arial, "Noto Sans CJK SC", "Microsoft YaHei", "PingFang SC", sans-serif`;
  return brush.measureText(text).width;
}

function boxOf(id, lines, kind, column) {
  const width = Math.max(...lines.map((one) => widthOf(one)));
  if (kind === "accumulate" && lines.length === 1 && width < 14) return { id, column, width: 24, height: 24 };
  const [pad, high] = kind === "chip" ? [12, 4] : [20, 10];
  return { id, column, width: Math.ceil(width + pad), height: lines.length * LINE + high };
}

/** Put every node into a cell: its row and its column, or a slot beside the node that it stands beside. */
class Layout {
  /** `linesOf(id, number)` gives what is written in a node, `number` being the one that it shares with its chips. */
  constructor(sight, layout, linesOf) {
    this.sight = sight;
    this.isTape = layout !== "mirror";
    const raw = rowsOf(sight, this.isTape);
    this.beside = this.isTape ? new Map() : besideOf(sight);
    if (!this.isTape) liftLeaves(sight, raw, this.beside);
    const rows = this.numbered(raw);
    Object.assign(this, chipped(sight, rows));
    this.boxes = new Map();
    for (const [id, fact] of sight.nodes)
      this.boxes.set(id, boxOf(id, linesOf(id, this.numbers.get(id)), fact.kind, this.columnOf(id, fact)));
    for (const [id, chip] of this.chips)
      this.boxes.set(id, boxOf(id, chip.lines, "chip", this.columnOf(chip.user, chip, true)));
    this.fillRows(rows);
    this.findLanes();
    this.placeColumns();
    this.placeRows();
    this.edges = sight.edges.map((edge) => ({ ...edge, tail: edge.chip ?? edge.tail, of: edge }));
    const ways = this.edges.map(({ tail, head }) => `${tail} ${head}`);
    const last = new Map(ways.map((way, place) => [way, place]));
    this.twice = new Set(ways.filter((way, place) => last.get(way) > place));
    this.routes = this.edges.map((edge) => this.route(edge));
    this.frames = this.framed();
  }

  /** Number the rows of which something is seen; two nodes that would stand on one place stand one below the other. */
  numbered(raw) {
    const { order, nodes } = this.sight.both;
    const taken = new Set();
    const rows = new Map();
    for (const id of order.filter((one) => !this.beside.has(one))) {
      let row = raw.get(id);
      const fact = nodes.get(id);
      const column = this.columnOf(id, fact);
      const leaf = fact.kind === "store" ? this.sight.twinOf(id, nodes) : null;
      if (rows.has(leaf)) row = rows.get(leaf);
      while (fact.side !== "update" && taken.has(`${column} ${row}`)) row += 0.01;
      taken.add(`${column} ${row}`);
      rows.set(id, row);
    }
    for (const [id, user] of this.beside) rows.set(id, rows.get(user));
    const numbers = [...new Set(this.sight.order.map((id) => rows.get(id)))].sort((one, other) => one - other);
    const number = new Map(numbers.map((row, place) => [row, place]));
    return new Map(this.sight.order.map((id) => [id, number.get(rows.get(id))]));
  }

  columnOf(id, fact, isChip = false) {
    if (this.isTape) return isChip ? 0 : 1;
    return COLUMNS.of(fact, isChip || (fact.side !== "update" && this.beside.has(id)));
  }

  /** A row has one box of each side, and slots: a leaf, its gradient and its update stand in one of them. */
  fillRows(rows) {
    this.rows = [];
    const row = (number) => (this.rows[number] ??= { spine: [], slots: [] });
    const slots = new Map(); // leaf -> its slot
    const put = (number, id, key) => {
      const box = this.boxes.get(id);
      box.row = number;
      if (COLUMNS.isSpine(box.column)) return row(number).spine.push(box);
      const { slots: there } = row(number);
      let slot = slots.get(key);
      if (!slot || slot[box.column]) slot = there.find((one) => !one[box.column] && !one.leaf);
      if (!slot) there.push((slot = { leaf: key !== undefined, boxes: [] }));
      if (key !== undefined && !slots.has(key)) slots.set(key, slot);
      slot[box.column] = box;
      slot.boxes.push(box);
    };
    for (const id of this.sight.order) {
      const { kind, side } = this.sight.nodes.get(id);
      const leaf = LEAVES.includes(kind) ? id : this.sight.twinOf(id, this.sight.both.nodes);
      put(rows.get(id), id, this.beside.has(id) || side === "update" ? (leaf ?? undefined) : undefined);
    }
    for (const [id, chip] of this.chips) put(rows.get(chip.user), id);
    this.rows.forEach((one, number) => { one.number = number; });
  }

  /** An arrow to what does not stand next in its column has a lane beside the column, short ones the inner ones. */
  findLanes() {
    this.places = new Map();
    const counts = Array(COLUMNS.updates + 1).fill(0);
    for (const { spine } of this.rows) for (const box of spine) this.places.set(box.id, counts[box.column]++);
    this.lanes = new Map();
    this.widest = [...counts];
    this.labelled = [...counts];
    const long = [];
    for (const edge of this.sight.edges) {
      if (edge.chip) continue;
      const [one, other] = [this.boxes.get(edge.tail), this.boxes.get(edge.head)];
      if (one.column !== other.column || !this.places.has(one.id)) continue;
      const [from, to] = [this.places.get(one.id), this.places.get(other.id)].sort((a, b) => a - b);
      if (to - from > 1) long.push({ edge, from, to, column: one.column });
    }
    const taken = counts.map(() => []);
    for (const { edge, from, to, column } of long.sort((a, b) => a.to - a.from - (b.to - b.from) || a.from - b.from)) {
      const lanes = taken[column];
      let lane = lanes.findIndex((used) => used.every((one) => to <= one.from || from >= one.to));
      if (lane < 0) lane = lanes.push([]) - 1;
      lanes[lane].push({ from, to });
      this.lanes.set(edge.id, lane);
      this.widest[column] = lanes.length;
      this.labelled[column] = Math.max(this.labelled[column], widthOf(this.labelOf(edge)));
    }
  }

  labelOf(edge) {
    return cutText(edge.label, 20);
  }

  placeColumns() {
    const widths = Array(COLUMNS.updates + 1).fill(0);
    for (const box of this.boxes.values()) widths[box.column] = Math.max(widths[box.column], box.width);
    const depths = [...this.sight.nodes.values()].map((fact) => this.sight.framesAround(fact).length);
    this.depth = Math.max(0, ...depths);
    const pad = this.depth ? 8 + 6 * this.depth : 0;
    const rungs = this.sight.edges.filter((edge) => edge.kind === "saved").map((edge) => widthOf(this.labelOf(edge)));
    const channel = (column, outside) =>
      widths[outside] || this.widest[column] ? 24 + LANE * this.widest[column] + this.labelled[column] : 0;
    const { sight: { nodes } } = this;
    const between = Math.max(64, Math.min(140, Math.max(0, ...rungs) + 24)) + 2 * pad;
    const seen = COLUMNS.spines.filter((column) => widths[column]);
    const gap = (column) => {
      if (column === COLUMNS.stores) return widths[COLUMNS.updates] ? 40 + pad : 0;
      const inward = COLUMNS.isLeft(column) === COLUMNS.isSpine(column); // to the next spine, which has its own room beside it
      if (!inward) return COLUMNS.isLeft(column) ? channel(column + 1, column) : channel(column, column + 1);
      return seen.some((one) => one <= column) && seen.some((one) => one > column) ? between : 0;
    };
    const gaps = widths.slice(0, -1).map((_, column) => gap(column));
    this.left = [12 + pad];
    for (const [column, wide] of gaps.entries()) this.left.push(this.left[column] + widths[column] + wide);
    Object.assign(this, { widths, gaps, pad, width: this.left[COLUMNS.updates] + widths[COLUMNS.updates] + pad + 12 });
    for (const box of this.boxes.values()) {
      const spare = widths[box.column] - box.width;
      const inwards = COLUMNS.isSpine(box.column) ? spare / 2 : COLUMNS.isLeft(box.column) ? spare : 0;
      box.x = this.left[box.column] + inwards;
      box.kind = nodes.get(box.id)?.kind ?? "chip";
    }
  }

  placeRows() {
    const { above, below } = this.titles();
    let y = 12;
    for (const row of this.rows) {
      const number = row.number;
      y += TITLE * (above.get(number) ?? 0);
      const slots = row.slots.filter((slot) => slot.boxes.length);
      const high = slots.map((slot) => Math.max(...slot.boxes.map((box) => box.height)));
      const slotted = high.reduce((sum, one) => sum + one + BESIDE, -BESIDE);
      const height = Math.max(slotted, ...row.spine.map((box) => box.height));
      for (const box of row.spine) box.y = y + (height - box.height) / 2;
      let top = y + (height - slotted) / 2;
      slots.forEach((slot, place) => {
        for (const box of slot.boxes) box.y = top + (high[place] - box.height) / 2;
        top += high[place] + BESIDE;
      });
      Object.assign(row, { y, height });
      y += height + GAP + 5 * (below.get(number) ?? 0);
    }
    this.height = y - GAP + 12 + this.pad;
  }

  /* ---- frames ---------------------------------------------------------------------------------------------------- */

  /** The boxes of each open frame; how many titles stand above a row, and how many frames end below it. */
  titles() {
    this.inside = new Map();
    for (const box of this.boxes.values()) {
      const fact = this.sight.nodes.get(this.chips.get(box.id)?.user ?? box.id);
      for (const frame of this.sight.framesAround(fact)) {
        if (!this.inside.has(frame)) this.inside.set(frame, []);
        this.inside.get(frame).push(box);
      }
    }
    const depth = (id) => this.sight.framesAround({ cluster: id }).length;
    this.heads = new Map(); // frame -> how many titles stand above its first row: its own and inner ones
    this.ends = new Map(); // frame -> how many frames end below its last row
    const [above, below] = [new Map(), new Map()];
    const inner = new Map(); // frame -> its inner frames that are done: where they begin and end, and those counts
    for (const id of [...this.inside.keys()].sort((one, other) => depth(other) - depth(one))) {
      const rows = this.inside.get(id).map((box) => box.row);
      const [first, last] = [rows.reduce((a, b) => Math.min(a, b)), rows.reduce((a, b) => Math.max(a, b))];
      const own = { first, last, heads: 1, ends: 1 };
      for (const one of inner.get(id) ?? []) {
        if (one.first === first) own.heads = Math.max(own.heads, one.heads + 1);
        if (one.last === last) own.ends = Math.max(own.ends, one.ends + 1);
      }
      const parent = this.sight.framesAround({ cluster: id })[1];
      inner.set(parent, [...(inner.get(parent) ?? []), own]);
      this.heads.set(id, own.heads);
      this.ends.set(id, own.ends);
      above.set(first, Math.max(above.get(first) ?? 0, own.heads));
      below.set(last, Math.max(below.get(last) ?? 0, own.ends));
    }
    return { above, below };
  }

  framed() {
    return [...this.inside].map(([id, boxes]) => {
      const pad = 6 + 6 * (this.depth - this.sight.framesAround({ cluster: id }).length);
      const x = Math.min(...boxes.map((box) => box.x)) - pad;
      const right = Math.max(...boxes.map((box) => box.x + box.width)) + pad;
      const y = Math.min(...boxes.map((box) => this.rows[box.row].y)) - TITLE * this.heads.get(id);
      const bottom = Math.max(...boxes.map((box) => this.rows[box.row].y + this.rows[box.row].height));
      return { id, x, y, width: right - x, height: bottom + 1 + 5 * this.ends.get(id) - y };
    });
  }

  /* ---- arrows ---------------------------------------------------------------------------------------------------- */

  /** The way of an arrow as a path, and where its label goes. */
  route(edge) {
    const [tail, head] = [this.boxes.get(edge.tail), this.boxes.get(edge.head)];
    const aside = this.aside(edge);
    if (tail.column === head.column) {
      if (!this.places.has(tail.id) || !this.places.has(head.id)) return this.around(tail, head);
      return this.lanes.has(edge.id) ? this.bow(edge, tail, head) : this.straight(tail, head, aside);
    }
    const spines = [tail, head].map((box) => COLUMNS.spines.indexOf(box.column));
    const areNext = !spines.includes(-1) && Math.abs(spines[0] - spines[1]) === 1;
    if (!areNext && Math.abs(tail.column - head.column) > 1 && !this.isFree(tail, head)) return this.around(tail, head);
    return this.across(tail, head, aside);
  }

  /** Arrows that lead the same way stand beside each other. */
  aside({ tail, head }) {
    const way = `${tail} ${head}`;
    this.ways ??= new Map();
    this.ways.set(way, (this.ways.get(way) ?? -1) + 1);
    return 7 * this.ways.get(way);
  }

  /** Whether nothing stands between two boxes on one row. */
  isFree(one, other) {
    if (one.row !== other.row) return false;
    const [from, to] = [one.column, other.column].sort((a, b) => a - b);
    const { spine, slots } = this.rows[one.row];
    const there = [...spine, ...slots.flatMap((slot) => slot.boxes)];
    return !there.some((box) => box.column > from && box.column < to);
  }

  straight(tail, head, aside) {
    const down = tail.y < head.y;
    const [from, to] = down ? [tail.y + tail.height, head.y] : [tail.y, head.y + head.height];
    const x = (box) => box.x + box.width / 2 + aside;
    const at = (x(tail) + x(head)) / 2;
    const left = !aside && this.twice.has(`${tail.id} ${head.id}`); // beside another arrow of the same way
    const label = { x: left ? at - 6 : at + 6, y: (from + to) / 2 + 4, anchor: left ? "end" : "start" };
    return { path: `M${x(tail)},${from}L${x(head)},${to}`, label };
  }

  /** Out to the lane, along it, and back. */
  bow(edge, tail, head) {
    const left = COLUMNS.isLeft(tail.column);
    const sign = left ? -1 : 1;
    const edgeOf = (box) => (left ? box.x : box.x + box.width);
    const side = left ? this.left[tail.column] : this.left[tail.column] + this.widths[tail.column];
    const lane = side + sign * (this.labelled[tail.column] + 10 + LANE * this.lanes.get(edge.id));
    const spread = (box) => 3 * ((this.lanes.get(edge.id) % 3) - 1) * (box.height > 24);
    const [from, to] = [middle(tail) + spread(tail), middle(head) + spread(head)];
    const turn = to > from ? 6 : -6;
    const path = `M${edgeOf(tail)},${from}H${lane - sign * 6}Q${lane},${from} ${lane},${from + turn}` +
      `V${to - turn}Q${lane},${to} ${lane - sign * 6},${to}H${edgeOf(head)}`;
    return { path, label: { x: edgeOf(head) + sign * 8, y: to - 4, anchor: left ? "end" : "start" } };
  }

  /** From a column to the next one: only the channel between them is crossed. */
  across(tail, head, aside) {
    const forth = tail.column < head.column;
    const shift = aside - (aside ? 3 : 0);
    const [x, to] = forth ? [tail.x + tail.width, head.x] : [tail.x, head.x + head.width];
    const [start, end] = [middle(tail) + shift, middle(head) + shift];
    const spines = COLUMNS.isSpine(tail.column) && COLUMNS.isSpine(head.column);
    const rim = (column, right) => { // of a spine with the chips and lanes beside it
      const edge = spines && COLUMNS.isLeft(column) !== right ? COLUMNS.outside(column) : column;
      return right ? this.left[edge] + this.widths[edge] : this.left[edge];
    };
    const out = rim(tail.column, forth); // boxes are as wide as they need to be: up to the edge of the column it goes straight
    const back = rim(head.column, !forth);
    const bend = (out + back) / 2;
    const path = Math.abs(start - end) < 1
      ? `M${x},${start}L${to},${end}`
      : `M${x},${start}H${out}C${bend},${start} ${bend},${end} ${back},${end}H${to}`;
    const alone = spines && Math.abs(out - x) > ALONE; // arrows cross further on
    const label = alone
      ? { x: x + (forth ? 4 : -4), y: start - 4, anchor: forth ? "start" : "end" }
      : { x: bend, y: (start + end) / 2 - 4, anchor: "middle" };
    return { path, label };
  }

  /** Through the gap above the row of the head, and the channels beside both. */
  around(tail, head) {
    const channel = (column) => this.left[column] + this.widths[column] + Math.max(this.gaps[column] / 2, 6);
    const forth = tail.column < head.column;
    const same = tail.column === head.column;
    const inwards = tail.column >= COLUMNS.stores;
    const out = same ? channel(tail.column - inwards) : channel(forth ? tail.column : tail.column - 1);
    const back = same ? out : channel(forth ? head.column - 1 : head.column);
    const x = (box, right) => (right ? box.x + box.width : box.x);
    const y = this.rows[head.row].y - GAP / 2;
    const [start, end] = [x(tail, same ? !inwards : forth), x(head, same ? !inwards : !forth)];
    const path = same
      ? `M${start},${middle(tail)}H${out}V${middle(head)}H${end}`
      : `M${start},${middle(tail)}H${out}V${y}H${back}V${middle(head)}H${end}`;
    return { path, label: { x: (out + back) / 2, y: y - 4, anchor: "middle" } };
  }
}

const middle = (box) => box.y + box.height / 2;
