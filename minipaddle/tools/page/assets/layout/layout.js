/* Where everything stands: the mirror, for whatever is open or closed.
 *
 * Columns: leaves and chips, forward, backward, sums of a leaf's gradients, these gradients, updates; each strip (branches.js)
 * has its own.
 * Arrows run in the channels between columns and in the gaps between rows, where no box stands; lanes.js gives each arrow
 * its own place there, and this file makes the channels and gaps as wide as that needs. Read before: boxes.js.
 */

const CLEAR_GAP = 8, ARROW = 20, WORDS = 18; // between two rows: at least, with their tracks for an arrow, where a label stands
const TIGHT = 8; // by how much rows are nearer to each other in a small room
const BESIDE = 8, TITLE = 16, MARGIN = 8;
const INSIDE = 6; // from the border of a frame to what it holds
const NESTED = 44; // units that nested frames take on a side, at most: many of them stand nearer to each other
const LONGEST = 36; // letters of a label: two numbers more than a column has room for
const CROWD = 8; // leaves beside one operator: more have a line each
const PASSES = 8; // frames and labels stick out of their columns, which moves what they were placed by: it settles in two, or a few more

/** Put every node into a cell: its row and its column, or a slot beside the node that it stands beside. */
class Layout {
  /** `linesOf(id, number)` gives what is written in a node, `number` being the one that it shares with its chips. */
  constructor(sight, layout, linesOf) {
    this.sight = sight;
    this.letters = sight.pass.letters;
    this.isTape = layout !== "mirror";
    const raw = rowsOf(sight, this.isTape);
    this.beside = this.isTape ? new Map() : besideOf(sight);
    if (!this.isTape) {
      liftLeaves(sight, raw, this.beside);
      moveOutOfFrames(sight, raw);
    }
    const widthOfNode = (id) => boxOf(id, sight.both.nodes.get(id).lines, sight.both.nodes.get(id).kind).width;
    this.strips = this.isTape ? new Map() : standSideBySide(sight, raw, this.beside, widthOfNode);
    const rows = this.numbered(raw);
    Object.assign(this, chipped(sight, rows));
    this.boxes = new Map();
    const crowds = [...groupsOf([...this.beside.keys()], (id) => this.beside.get(id)).values()];
    this.crowded = new Set(crowds.filter((all) => all.filter((id) => LEAVES.includes(sight.both.nodes.get(id).kind)).length > CROWD).flat());
    for (const [id, fact] of sight.nodes)
      this.boxes.set(id, boxOf(id, this.joined(id, linesOf(id, this.numbers.get(id))), fact.kind, this.columnOf(id, fact), Boolean(this.letters)));
    for (const [id, chip] of this.chips)
      this.boxes.set(id, boxOf(id, chip.lines, "chip", this.columnOf(chip.user, chip, true)));
    this.columns = new Columns([...this.boxes.values()].map((box) => box.column));
    for (const box of this.boxes.values()) box.column = this.columns.numbers.get(box.column);
    this.edges = sight.edges.map((edge) => ({ ...edge, tail: edge.chip ?? edge.tail, of: edge }));
    this.fillRows(rows);
    this.lanes = new Ways(this);
    this.settleRows();
    this.lanes.placeSidePorts();
    this.placeRows();
    this.lanes.place();
    this.placeColumns();
  }

  /** What is written in a node: in one of a crowd, and where backward starts, on one line; in a small room on few, which have so many letters. */
  joined(id, lines) {
    const line = lines.join(" ");
    const isStart = this.sight.nodes.get(id).kind === "seed" && line.length <= LONGEST;
    if (isStart || this.crowded.has(id)) return [line];
    return this.letters ? filled(lines, this.letters) : lines;
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
    if (this.isTape) return columnKey({ side: "forward" }, isChip, 0);
    return columnKey(fact, isChip || (fact.side !== "update" && this.beside.has(id)), this.strips.get(id));
  }

  /** A row has one box of each side, and slots: a leaf, its gradient and its update stand in one of them. */
  fillRows(rows) {
    this.rows = [];
    const row = (number) => (this.rows[number] ??= { spine: [], slots: [] });
    const slots = new Map(); // leaf -> its slot
    const put = (number, id, key, strip = this.strips.get(id)) => {
      const box = this.boxes.get(id);
      box.row = number;
      if (this.columns.isSpine(box.column)) return row(number).spine.push(box);
      const { slots: there } = row(number);
      let slot = slots.get(key);
      if (!slot || slot[box.column]) slot = there.find((one) => one.strip === strip && !one[box.column] && !one.leaf);
      if (!slot) there.push((slot = { leaf: key !== undefined, strip, boxes: [] }));
      if (key !== undefined && !slots.has(key)) slots.set(key, slot);
      slot[box.column] = box;
      slot.boxes.push(box);
    };
    for (const id of this.sight.order) {
      const { kind, side } = this.sight.nodes.get(id);
      const leaf = LEAVES.includes(kind) || (kind === "op" && this.beside.has(id)) ? id : this.sight.twinOf(this.storeOf(id, rows), this.sight.both.nodes);
      put(rows.get(id), id, this.beside.has(id) || side === "update" ? (leaf ?? undefined) : undefined);
    }
    for (const [id, chip] of this.chips) put(rows.get(chip.user), id, undefined, this.strips.get(chip.user));
    this.places = new Map(); // box of a spine -> how many of its column stand above it
    const counts = Array(this.columns.count).fill(0);
    this.rows.forEach((one, number) => {
      one.number = number;
      for (const box of one.spine) this.places.set(box.id, counts[box.column]++);
    });
  }

  /** The gradient that a sum on its row leads to; of another node, itself. */
  storeOf(id, rows) {
    if (this.sight.nodes.get(id).kind !== "accumulate") return id;
    const edge = this.sight.edges.find(({ tail, head, kind }) => tail === id && kind === "gradient" && rows.get(head) === rows.get(id));
    return edge && this.beside.has(edge.head) ? edge.head : id;
  }

  /** How high each row is, and how far below its middle line the middle of each box is. */
  settleRows() {
    for (const row of this.rows) {
      const strips = [...groupsOf(row.slots.filter((slot) => slot.boxes.length), (slot) => slot.strip).values()];
      const high = ({ boxes }) => Math.max(...boxes.map((box) => box.height));
      const gap = (slots) => (slots.length > CROWD ? BESIDE / 2 : BESIDE);
      const sums = strips.map((slots) => slots.reduce((sum, slot) => sum + high(slot) + gap(slots), -gap(slots)));
      row.height = Math.max(...sums, ...row.spine.map((box) => box.height));
      for (const box of row.spine) box.dy = 0;
      strips.forEach((slots, place) => {
        let top = -sums[place] / 2;
        for (const slot of slots) {
          for (const box of slot.boxes) box.dy = top + high(slot) / 2;
          top += high(slot) + gap(slots);
        }
      });
    }
  }

  /** From the top: titles of frames, lanes that end in the row, its boxes, lanes that begin there, ends of frames.
   *
   * Each side of the mirror has room of its own for all that is no box: so a row of one side alone may stand beside one of the other.
   */
  placeRows() {
    const { above, below } = this.titles();
    const wordy = this.lanes.wordyGaps();
    const last = new Map(); // side -> the row above
    for (const row of this.rows) {
      const { number } = row;
      const boxes = [...row.spine, ...row.slots.flatMap((slot) => slot.boxes)];
      row.parts = new Map();
      for (const isDown of this.lanes.joint.has(`${number} top`) ? [true, false] : new Set(boxes.map(({ column }) => this.columns.isForward(column)))) {
        const [over, under] = [this.lanes.over(number, isDown), this.lanes.under(number, isDown)];
        row.parts.set(isDown, { over, under, head: over + TITLE * (above.get(`${number} ${isDown}`) ?? 0),
          end: under + endsHigh(below.get(`${number} ${isDown}`)) });
      }
      const starts = [...row.parts].map(([isDown, { head }]) => (last.has(isDown) ? last.get(isDown).free + gapBelow(last.get(isDown), head, this.letters ? TIGHT : 0) : MARGIN) + head);
      row.y = Math.max(...starts);
      for (const [isDown, part] of row.parts) {
        part.free = row.y + row.height + part.end;
        part.isWordy = wordy.has(`${number} ${isDown}`);
        if (last.has(isDown)) last.get(isDown).gap = row.y - part.head - last.get(isDown).free;
        last.set(isDown, part);
      }
      for (const box of boxes) box.y = row.y + row.height / 2 + box.dy - box.height / 2;
    }
    this.height = Math.max(...[...last.values()].map(({ free }) => free)) + MARGIN;
  }

  /** The nearest row above one with anything on a side. */
  rowBefore(number, column) {
    const isDown = this.columns.isForward(column);
    const has = ({ spine, slots }) => [...spine, ...slots.flatMap(({ boxes }) => boxes)].some((box) => this.columns.isForward(box.column) === isDown);
    let before = number - 1;
    while (before > 0 && !has(this.rows[before])) before--;
    return before;
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
    this.nested = [...this.inside.keys()].sort((one, other) => this.depthOf(other) - this.depthOf(one)); // inner ones first
    this.heads = new Map(); // frame -> how many titles stand above its first row: its own and inner ones
    this.ends = new Map(); // frame -> how many frames end below its last row
    this.inner = new Map(); // frame -> those directly in it
    const [above, below] = [new Map(), new Map()];
    const spans = new Map();
    for (const id of this.nested) {
      const rows = this.inside.get(id).map((box) => box.row);
      const [first, last] = [rows.reduce((a, b) => Math.min(a, b)), rows.reduce((a, b) => Math.max(a, b))];
      const own = { first, last, heads: 1, ends: 1 };
      for (const one of (this.inner.get(id) ?? []).map((inner) => spans.get(inner))) {
        if (one.first === first) own.heads = Math.max(own.heads, one.heads + 1);
        if (one.last === last) own.ends = Math.max(own.ends, one.ends + 1);
      }
      spans.set(id, own);
      const parent = this.sight.framesAround({ cluster: id })[1];
      this.inner.set(parent, [...(this.inner.get(parent) ?? []), id]);
      this.heads.set(id, own.heads);
      this.ends.set(id, own.ends);
      for (const isDown of new Set(this.inside.get(id).map(({ column }) => this.columns.isForward(column)))) {
        const [top, bottom] = [`${first} ${isDown}`, `${last} ${isDown}`];
        above.set(top, Math.max(above.get(top) ?? 0, own.heads));
        below.set(bottom, Math.max(below.get(bottom) ?? 0, own.ends));
      }
    }
    return { above, below };
  }

  depthOf(frame) {
    return this.sight.framesAround({ cluster: frame }).length;
  }

  /** The open frames that both ends of an arrow are in, the inner ones first. */
  framesOfBoth(tail, head) {
    const [one, other] = [tail, head].map(({ id }) => this.sight.framesAround(this.sight.nodes.get(this.chips.get(id)?.user ?? id)));
    return one.filter((frame) => other.includes(frame));
  }

  /* ---- from left to right ---------------------------------------------------------------------------------------- */

  /** Put columns and channels side by side, the channels so wide that nothing that sticks out of a column is met. */
  placeColumns() {
    this.widths = Array(this.columns.count).fill(0);
    for (const box of this.boxes.values()) this.widths[box.column] = Math.max(this.widths[box.column], box.width);
    const [first] = this.nested; // the innermost frame
    this.deepest = first === undefined ? 0 : this.depthOf(first);
    const none = () => Array.from({ length: this.columns.count }, () => Array(this.deepest + 1).fill(0));
    this.room = { left: none(), right: none() }; // of a column, as seen from inside of so many frames
    for (let pass = 0; pass < PASSES + this.deepest; pass++) {
      this.spread();
      this.lanes.follow();
      this.frames = this.framed();
      if (!this.widen()) break;
    }
    this.moveToMargin();
  }

  spread() {
    this.left = [];
    let x = 0;
    for (const [column, width] of this.widths.entries()) {
      if (column) x += this.lanes.channel(column);
      this.left.push(x);
      x += width;
    }
    for (const box of this.boxes.values()) {
      const spare = this.widths[box.column] - box.width;
      const inwards = this.columns.isSpine(box.column) ? spare / 2 : this.columns.isForward(box.column) ? spare : 0;
      box.x = this.left[box.column] + inwards;
    }
  }

  /** Note how far frames and labels stick out of the columns that they end in. Returns whether any does farther.
   *
   * A frame is in the way of what runs outside of it, a label of all.
   */
  widen() {
    let wider = false;
    const note = (side, column, by, depth) => {
      for (const [within, known] of this.room[side][column].slice(0, depth).entries())
        if (by > known + 0.5) [this.room[side][column][within], wider] = [by, true];
    };
    const outOf = ({ x, width }, first, last, depth) => {
      note("left", first, this.left[first] - x, depth);
      note("right", last, x + width - this.left[last] - this.widths[last], depth);
    };
    for (const frame of this.frames) {
      const columns = this.inside.get(frame.id).map((box) => box.column);
      outOf(frame, Math.min(...columns), Math.max(...columns), this.depthOf(frame.id));
    }
    for (const { at, column } of this.lanes.ways) if (at && column !== undefined) outOf(at.box, column, column);
    return wider;
  }

  /** Frames, the inner ones first: around their boxes, arrows, labels and inner frames, with room for their title. */
  framed() {
    const uprights = this.nested.length ? this.lanes.uprights() : [];
    const labels = this.lanes.ways.filter(({ at, column }) => at && column !== undefined);
    const turning = groupsOf(this.lanes.ways.filter(({ lane }) => lane !== undefined).flatMap(({ frames, points }) =>
      frames.map((frame) => ({ frame, points }))), ({ frame }) => frame);
    const known = new Map();
    for (const id of this.nested) {
      const boxes = this.inside.get(id);
      const rowOf = ({ row, column }) => ({ ...this.rows[row], ...this.rows[row].parts.get(this.columns.isForward(column)) });
      const spans = boxes.map(rowOf).map(({ y, height, over, under }) => ({ from: y - over, to: y + height + under }));
      const top = least(spans, ({ from }) => from) - TITLE * this.heads.get(id);
      const bottom = -least(spans, ({ to }) => -to);
      const columns = new Set(boxes.map((box) => box.column));
      const words = labels.filter(({ at, column }) => columns.has(column) && at.y > top && at.y < bottom).map(({ at }) => at.box);
      const lanes = (turning.get(id) ?? []).flatMap(({ points }) => points.map(([at]) => ({ x: at, width: 0 })));
      const parts = [...boxes, ...lanes, ...words, ...(this.inner.get(id) ?? []).map((one) => known.get(one))];
      const inside = Math.min(INSIDE, NESTED / this.deepest);
      const x = least(parts, (one) => one.x) - inside;
      const right = -least(parts, (one) => -one.x - one.width) + inside;
      const frame = { id, x, y: top, width: right - x, height: bottom + endsHigh(this.ends.get(id)) - 3 - top };
      known.set(id, this.titled(frame, uprights));
    }
    return [...known.values()].reverse();
  }

  /** A frame whose title stands beside every arrow that comes in from above: to the left of them if it can, else between two. */
  titled(frame, uprights) {
    const wide = widthOf(`− ${this.sight.titleOf(frame.id)}`) + 4;
    const there = uprights.filter((line) => line.y < frame.y + TITLE && line.y + line.height > frame.y);
    const hits = (x) => there.filter((line) => line.x > x + 2 && line.x < x + 7 + wide + 2);
    const between = there.map((line) => line.x - 2).filter((x) => x > frame.x && x + wide + 12 <= frame.x + frame.width);
    let at = [frame.x, ...between.sort((one, other) => one - other)].find((x) => !hits(x).length) ?? frame.x;
    while (hits(at).length) at = least(hits(at), (line) => line.x) - wide - 10;
    const x = Math.min(frame.x, at);
    const right = Math.max(frame.x + frame.width, at + wide + 12);
    return { ...frame, x, width: right - x, title: at + 7 };
  }

  /** Let all begin at the margin. */
  moveToMargin() {
    const labels = this.lanes.ways.filter(({ at }) => at).map(({ at }) => at.box);
    const bends = this.lanes.ways.flatMap(({ points }) => points.map(([x]) => ({ x, width: 0 })));
    const all = [...this.boxes.values(), ...this.frames, ...labels, ...bends];
    const by = MARGIN - least(all, (one) => one.x);
    this.width = -least(all, (one) => -one.x - one.width) + by + MARGIN;
    for (const one of [...this.boxes.values(), ...this.frames]) one.x += by;
    for (const one of this.frames) one.title += by;
    this.lanes.move(by);
    this.routes = this.lanes.routes();
  }

  /** What a window should not cut: boxes, and what is written at arrows and frames. */
  solids() {
    const labels = this.lanes.ways.filter(({ at }) => at).map(({ at }) => at.box);
    const titles = this.frames.map(({ id, title, y }) => ({ x: title, y, width: widthOf(`− ${this.sight.titleOf(id)}`), height: TITLE }));
    return [...this.boxes.values(), ...labels, ...titles];
  }

  labelOf(edge) {
    return namesIn(edge.label, Math.min(LONGEST, this.letters || LONGEST));
  }
}

/** How far below a row the ends of so many frames reach: the head of an arrow that comes in stands before the first. */
const endsHigh = (ends = 0) => (ends ? 8 + 6 * ends : 0);
const least = (all, of) => all.reduce((found, one) => Math.min(found, of(one)), Infinity);

/** How much room there is below a row, beyond its tracks, and those and the titles of the next one. */
const gapBelow = ({ end, isWordy }, head, nearer) => Math.max(CLEAR_GAP, ARROW - nearer - end - head, isWordy ? WORDS - nearer / 2 : 0);
const middle = (box) => box.y + box.height / 2;
