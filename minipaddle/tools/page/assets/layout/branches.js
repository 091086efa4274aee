/* Which parts of a run stand side by side: q, k and v of an attention, two towers, the heads of a network.
 *
 * From an operator on, those that follow fall into parts that do not depend on each other, until one operator joins them:
 * these are the branches of a block, and each branch is divided again in the same way. The order is that of the run: in
 * a branch from above, between branches from the left. Branches begin on one row; but one that takes nothing from before
 * the block ends on its last row, near to what it is joined with, and stands on the outer side. The last branch stands
 * where all stands that is in no block, next to the mirror. On the way back each rule stands beside its operator.
 *
 * Each branch has a strip: columns of its own on both sides, number 0 next to the mirror. A block stays one below the
 * other where the picture would be too wide, where a frame would hold what is not in it, and where the way back is not the
 * mirror of the block. Read before: rows.js.
 */

const WIDEST = 2560; // units: twice what is seen at once in a usual window
const MOST_STRIPS = 6;
const AHEAD = 60, FARTHEST = 400; // operators until a second branch begins, and until all are joined: a block is seen at once
const APART = 1000; // from row to row, with room for sums between

/** Give rows to what stands side by side. Returns the strip of each node; a leaf that several strips use is no longer beside. */
function standSideBySide(sight, rows, beside, widthOf) {
  let found = new Branches(sight, rows, beside, widthOf).widest();
  const shared = sharedLeaves(sight, found.strips, beside);
  for (const id of shared) beside.delete(id);
  putSumsBeside(sight, beside);
  if (shared.length) found = new Branches(sight, rows, beside, widthOf).widest();
  for (const [id, row] of found.rows) rows.set(id, row);
  return found.strips;
}

/** The leaves, with their gradients and updates, that stand beside an operator and are used in other strips too. */
function sharedLeaves(sight, strips, beside) {
  const { nodes, edges } = sight.both;
  const leaves = new Set(edges.filter(({ tail, head }) => beside.has(tail)
    && nodes.get(head).side === "forward" && strips.get(head) !== strips.get(tail)).map(({ tail }) => tail));
  return [...beside.keys()].filter((id) => leaves.has(id) || leaves.has(sight.twinOf(id, nodes)));
}

class Branches {
  constructor(sight, rows, beside, widthOf) {
    Object.assign(this, { sight, rows, beside, widthOf });
    const { order, nodes, edges } = sight.both;
    this.all = order.filter((id) => !beside.has(id));
    this.forward = this.all.filter((id) => nodes.get(id).side === "forward" && nodes.get(id).kind !== "store")
      .sort((one, other) => rows.get(one) - rows.get(other));
    this.places = new Map(this.forward.map((id, place) => [id, place]));
    this.makers = new Map(this.forward.map((id) => [id, new Set()])); // node -> those before it that it belongs to
    for (const { tail, head } of edges) this.link(tail, head);
    this.frames = new Map(); // open frame -> its nodes
    for (const id of this.forward)
      for (const frame of sight.framesAround(nodes.get(id))) {
        this.link(sight.pass.frames[frame].owner, id);
        if (!this.frames.has(frame)) this.frames.set(frame, new Set());
        this.frames.get(frame).add(id);
      }
    this.uses = new Map(); // node -> how many of those belong to it
    for (const makers of this.makers.values()) for (const one of makers) this.uses.set(one, (this.uses.get(one) ?? 0) + 1);
    const ruled = new Set(this.all.filter((id) => nodes.get(id).side === "backward").map((id) => rows.get(id)));
    const into = groupsOf(edges.filter(({ kind }) => kind === "value"), ({ head }) => head);
    const users = groupsOf(edges.filter(({ kind }) => kind === "value"), ({ tail }) => tail);
    const isOwn = ({ tail }) => nodes.get(tail).kind === "parameter" && users.get(tail).length === 1;
    const ofParameter = (id) => nodes.get(id).kind === "parameter" || (into.get(id)?.length === 1 && isOwn(into.get(id)[0]));
    const shut = this.all.filter((id) => this.isAlone(id)).flatMap((id) => sight.members.get(id));
    const hidden = new Set(shut.filter((id) => sight.pass.facts[id].kind !== "store").map((id) => sight.pass.facts[id].twin)); // what has its rule in there
    this.paths = new Set(this.forward.filter((id) => (ruled.has(rows.get(id)) || hidden.has(id)) && !ofParameter(id))); // of what is a part of its own
    this.latest = new Map(); // node -> the place of the last one with a part of its own that it takes something from
    for (const [id, makers] of this.makers)
      this.latest.set(id, [...makers].reduce((last, one) => Math.max(last, this.paths.has(one) ? this.places.get(one) : this.latest.get(one)), -1));
    const own = new Set(this.forward.map((id) => rows.get(id)));
    this.loose = this.all.filter((id) => !own.has(rows.get(id))); // what stands between the rows of operators
  }

  isParameter(id) {
    return this.sight.both.nodes.get(id).kind === "parameter" && this.uses.get(id) === 1;
  }

  link(one, other) {
    if (!this.places.has(one) || !this.places.has(other) || one === other) return;
    const [first, second] = this.places.get(one) < this.places.get(other) ? [one, other] : [other, one];
    this.makers.get(second).add(first);
  }

  /** The rows and strips of all nodes, with as many strips as there is width for. */
  widest() {
    for (let most = MOST_STRIPS; ; most--) {
      const { cells, width } = this.arranged(this.forward, most);
      if (width === 1) return { rows: this.rows, strips: new Map([...this.sight.both.order].map((id) => [id, 0])) };
      const found = this.settled(cells);
      if (this.widthWith(found.strips) <= (this.sight.pass.widest ?? WIDEST)) return this.withSums(found);
      most = Math.min(most, width);
    }
  }

  /** About how wide a picture is. */
  widthWith(strips) {
    const columns = new Map();
    for (const [id, strip] of strips) {
      const column = columnKey(this.sight.both.nodes.get(id), this.beside.has(id), strip);
      columns.set(column, Math.max(columns.get(column) ?? 0, this.widthOf(id)));
    }
    return [...columns.values()].reduce((sum, width) => sum + width + ASIDE, 0);
  }

  /* ---- blocks ------------------------------------------------------------------------------------------------------ */

  /** Where nodes stand within a branch: cells of a row and a strip. */
  arranged(ids, most) {
    const cells = [];
    let [row, width] = [0, 1];
    for (let at = 0; at < ids.length; ) {
      const block = this.blockAt(ids, at, most) ?? oneBelowTheOther([ids[at]]);
      for (const one of block.cells) cells.push({ ...one, row: row + one.row });
      row += block.height;
      at += block.cells.length;
      width = Math.max(width, block.width);
    }
    return { cells, height: row, width };
  }

  /** The block that begins at a node, side by side if that can be; null if none begins there. */
  blockAt(ids, at, most) {
    const large = this.partsFrom(ids, at, most);
    if (!large.parts.length) return null;
    const found = this.sideBySide(large, most);
    if (found) return found;
    const { parts, rest } = this.partsFrom(ids, at, 0);
    const small = this.sideBySide({ parts, rest }, most);
    if (small) return small;
    const all = parts.flat();
    const inRun = ids.slice(at, at + all.length + rest.length);
    if (!all.every((id, place) => id === inRun[place])) return oneBelowTheOther(inRun);
    return belowEachOther(parts.map((part) => this.arranged(part, most)), rest);
  }

  /** A block of branches from the left; null if it is too wide, or cannot be for another reason. */
  sideBySide({ parts, rest }, most) {
    if (!this.isMirrored(parts.flat())) return null;
    const branches = parts.map((part) => ({ ...this.arranged(part, most), fed: this.isFed(part) }));
    const width = branches.reduce((sum, one) => sum + one.width, 0);
    const height = Math.max(...branches.map((one) => one.height));
    const others = branches.filter(({ fed }) => !fed).sort((one, other) => one.height - other.height);
    const inOrder = [...others, ...branches.filter(({ fed }) => fed)];
    for (const aligned of width <= most ? ["bottom", "top"] : []) {
      const cells = besideEachOther(inOrder, height, aligned);
      rest.forEach((id, place) => cells.push({ id, row: height + place, strip: 0 }));
      if (this.fitsFrames(cells, height)) return { cells, height: height + rest.length, width };
    }
    return null;
  }

  /** The parts that the nodes from one on fall into, up to the node that joins them, and what is used in none of them.
   *
   * What no gradient flows through, or that of one parameter only, is no part of its own but of the one that uses it. Where another
   * part of the same fork begins after that node, as the third of three losses that are added up, it is not yet the end: if the
   * fork has at most `most` parts.
   */
  partsFrom(ids, at, most) {
    const none = { parts: [], rest: [] };
    const above = new Map(); // node -> another one of its part
    const counted = new Set(); // one node of each part
    const first = (id) => {
      while (above.get(id) !== id) id = above.get(id);
      return id;
    };
    if (!this.paths.has(ids[at]) || !this.forksFrom(ids, at)) return none;
    const fork = new Set(); // what feeds the parts
    let ended = null;
    for (let end = at; end < ids.length; end++) {
      const id = ids[end];
      const met = new Set();
      for (const maker of this.makers.get(id)) if (above.has(maker)) met.add(first(maker));
      const joined = [...met].filter((one) => counted.has(one));
      if (counted.size > 1 && joined.length === counted.size) {
        ended = groupedBy(ids.slice(at, end), first, counted);
        if (!most) break;
      }
      if (end - (ended ? at + ended.parts.flat().length : at) > (counted.size > 1 ? FARTHEST : AHEAD)) break;
      const feeding = [...this.makers.get(id)].filter((one) => !above.has(one) && !this.isParameter(one));
      if (ended && !joined.length && feeding.some((one) => fork.has(one) && this.uses.get(one) <= most)) ended = null;
      for (const one of feeding) fork.add(one);
      above.set(id, id);
      for (const one of met) above.set(one, id);
      for (const one of joined) counted.delete(one);
      if (joined.length || this.paths.has(id)) counted.add(id);
    }
    const last = counted.size > 1 && above.size === ids.length - at ? groupedBy(ids.slice(at), first, counted) : none;
    return ended ?? (last.parts.every((part) => part.length > 1) ? last : none); // one node that leads nowhere is no branch
  }

  /** Whether any of the next nodes takes nothing from the one at a place, or from what comes of it. */
  forksFrom(ids, at) {
    const from = this.places.get(ids[at]);
    for (let next = at + 1; next < ids.length && next - at <= AHEAD; next++)
      if (this.latest.get(ids[next]) < from && this.paths.has(ids[next])) return true;
    return false;
  }

  /** Whether a branch takes something that is made before it. */
  isFed(part) {
    const own = new Set(part);
    return part.some((id) => [...this.makers.get(id)].some((maker) => !own.has(maker) && !this.isParameter(maker)));
  }

  /** Whether nothing but sums stands between the rows of a block on the way back, and no inside of an operator is open. */
  isMirrored(ids) {
    const spots = ids.map((id) => this.rows.get(id));
    const [first, last] = [spots.reduce((a, b) => Math.min(a, b)), spots.reduce((a, b) => Math.max(a, b))];
    const { nodes } = this.sight.both;
    const isInBlock = (fact) => this.sight.framesAround(fact).some((frame) => this.sight.pass.frames[frame].owner);
    return !ids.some((id) => nodes.get(id).earlier || isInBlock(nodes.get(id))) && !this.loose.some((id) =>
      this.rows.get(id) > first && this.rows.get(id) < last && nodes.get(id).kind !== "accumulate");
  }

  /** Whether each frame, drawn around its nodes, holds no other node of the block. */
  fitsFrames(cells, height) {
    const spots = cells.map(({ id }) => this.places.get(id));
    const [first, last] = [spots.reduce((a, b) => Math.min(a, b)), spots.reduce((a, b) => Math.max(a, b))];
    const frames = new Set(cells.flatMap(({ id }) => this.sight.framesAround(this.sight.both.nodes.get(id))));
    return [...frames].every((frame) => {
      const members = this.frames.get(frame);
      const inside = cells.filter(({ id }) => members.has(id));
      if (inside.length === cells.length) return true;
      const rows = inside.map(({ row }) => row);
      const strips = inside.map(({ strip }) => strip);
      for (const id of inside.length === members.size ? [] : members) {
        if (this.places.get(id) < first) rows.push(0);
        if (this.places.get(id) > last) rows.push(height);
        strips.push(0, Infinity); // they may stand in any
      }
      const within = (number, all) => number >= Math.min(...all) && number <= Math.max(...all);
      return !cells.some(({ id, row, strip }) => !members.has(id) && within(row, rows) && within(strip, strips));
    });
  }

  /** Whether a node is the way back of a frame that is closed, beside the open frame itself. */
  isAlone(id) {
    return this.sight.isClosedFrame(id) && this.sight.both.nodes.get(id).side === "backward" && !this.sight.twinOf(id, this.sight.both.nodes);
  }

  /* ---- all other nodes --------------------------------------------------------------------------------------------- */

  /** The row and strip of every node, from the cells of the operators: rules beside them, sums above what they add. */
  settled(cells) {
    const [rows, strips] = [new Map(), new Map()];
    const cellOf = new Map(cells.map((cell) => [this.rows.get(cell.id), cell])); // row in the run -> its cell
    const lowest = cells.reduce((one, other) => (other.row > one.row ? other : one));
    let below = { row: cells.length, strip: lowest.strip }; // where backward starts
    let gap = []; // what stands above that, up to the next operator
    let [above, last] = [0, null];
    const apart = new Set(); // nodes in gaps whose two ends are not one below the other
    for (const id of [...this.all].sort((one, other) => this.rows.get(other) - this.rows.get(one))) {
      const row = this.rows.get(id);
      const cell = cellOf.get(row);
      if (cell && cell !== below) {
        if (cell.strip !== below.strip || cell.row !== below.row - 1) for (const one of gap) {
          apart.add(one);
          strips.set(one, Math.min(cell.strip, below.strip));
        }
        [below, gap, above] = [cell, [], 0];
      } else if (!cell) {
        gap.push(id);
        if (row !== last) above++;
      }
      last = row;
      rows.set(id, APART * (below.row - (0.9 * above) / (above + 1)));
      strips.set(id, this.isAlone(id) ? 0 : below.strip);
    }
    for (const [id, user] of this.beside) {
      strips.set(id, strips.get(user));
      rows.set(id, rows.get(user));
    }
    return { rows, strips, apart };
  }

  /** A sum stands in the strip that it leads to; one of those `apart`, or above which something stands that it adds, right above all of that. */
  withSums({ rows, strips, apart }) {
    const { nodes, edges } = this.sight.both;
    const sums = this.all.filter((id) => nodes.get(id).kind === "accumulate");
    const gradients = edges.filter(({ kind }) => kind === "gradient");
    const into = groupsOf(gradients, ({ head }) => head);
    const outOf = groupsOf(gradients, ({ tail }) => tail);
    for (const id of sums) {
      const tails = (into.get(id) ?? []).map(({ tail }) => tail).filter((one) => rows.has(one));
      if (!tails.length || !(apart.has(id) || tails.some((one) => apart.has(one) || rows.get(one) <= rows.get(id)))) continue;
      rows.set(id, Math.min(...tails.map((one) => rows.get(one))) - 1);
      apart.add(id);
    }
    for (const id of [...sums].reverse()) {
      const head = outOf.get(id)?.[0].head;
      const place = this.beside.get(head) ?? head;
      if (strips.has(place)) strips.set(id, strips.get(place));
    }
    moveOutOfFrames(this.sight, rows, strips);
    return { rows, strips };
  }
}

/** Nodes by their parts: those that are counted, and the rest. */
function groupedBy(ids, first, counted) {
  const groups = [...groupsOf(ids, first)];
  const [parts, others] = [true, false].map((wanted) => groups.filter(([one]) => counted.has(one) === wanted).map(([, some]) => some));
  return { parts, rest: others.flat() };
}

const oneBelowTheOther = (ids) => ({ cells: ids.map((id, row) => ({ id, row, strip: 0 })), height: ids.length, width: 1 });

/** Branches whose nodes follow each other in the run, one branch below the other. */
function belowEachOther(branches, rest) {
  let height = 0;
  const cells = [...branches, oneBelowTheOther(rest)].flatMap((branch) => {
    const from = height;
    height += branch.height;
    return branch.cells.map((one) => ({ ...one, row: one.row + from }));
  });
  return { cells, height, width: Math.max(...branches.map((one) => one.width)) };
}

/** Branches from the left; those that nothing leads to are `aligned` with the first row of the block, or the last. */
function besideEachOther(branches, height, aligned) {
  let strip = branches.reduce((sum, one) => sum + one.width, 0);
  return branches.flatMap(({ cells, height: own, width, fed }) => {
    strip -= width;
    const [down, aside] = [aligned === "bottom" && !fed ? height - own : 0, strip];
    return cells.map((one) => ({ ...one, row: one.row + down, strip: one.strip + aside }));
  });
}
