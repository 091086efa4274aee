/* What is closed, and which nodes and arrows there are then. Nothing here knows where they stand.
 *
 * Frames and repeats are closed in any combination. A node is stood for, first, by what is drawn once for all rounds of
 * the repeats that are closed around it; then by the outermost closed frame around that. What each of these says was
 * worked out by Python (minipaddle/tools/page/closable.py); here it is only chosen.
 */

const LEAVES = ["data", "parameter"];
const FLOWING = ["value", "gradient", "cut"];

const ENDING = 2; // operators that a block has after its sum at most: an activation, a norm

/** Index a pass as it comes out of the data: once, before anything is chosen. */
function prepare(pass, book) {
  pass.order = Object.keys(pass.nodes);
  for (const name of ["nodes", "closed"]) unpack(pass[name], book);
  pass.facts = { ...pass.nodes, ...pass.closed };
  pass.places = new Map(pass.order.map((id, place) => [id, place]));
  pass.folds = new Map(); // node -> what is drawn for it, and the repeat that has to be closed for that
  pass.bodies = new Map(); // operator -> the frame that it is the inside of
  for (const [id, frame] of Object.entries(pass.frames)) {
    frame.repeats = [];
    if (frame.owner) pass.bodies.set(frame.owner, id);
  }
  for (const [repeat, { groups, titles }] of Object.entries(pass.repeats)) {
    for (const [id, members] of Object.entries(groups)) for (const one of members) pass.folds.set(one, { id, repeat });
    for (const frame of Object.keys(titles)) pass.frames[frame].repeats.push(repeat);
  }
  pass.arrows = pass.edges.map(([tail, head, kind, label = "", slot = 0, names], place) => {
    names ??= pass.nodes[tail].results.slice(0, 1).map((one) => one.name);
    const norm = pass.norms[place];
    return { id: `e${place}`, tail, head, kind, norm, label: label || (kind === "saved" ? tally(names) : ""), slot, names };
  });
  pass.users = new Map(); // node -> those that use its value
  for (const { tail, head, kind } of pass.arrows)
    if (kind === "value") pass.users.set(tail, [...(pass.users.get(tail) ?? []), head]);
}

/** Return how wide arrows are: where a gradient is larger, more flows, as in minipaddle/tools/picture/draw/theme.py.
 *
 * The scale is that of the whole pass, whatever is closed.
 */
function widthsOf(arrows, { widest, decade, thinnest, alike }) {
  const norms = arrows.map((one) => one.norm).filter(Number.isFinite);
  const largest = norms.reduce((a, b) => Math.max(a, b), 0);
  if (!(largest > alike * norms.reduce((a, b) => Math.min(a, b), Infinity))) return () => null;
  return ({ of }) => {
    const norm = of.reduce((most, one) => (one.norm > most ? one.norm : most), -1);
    return norm < 0 || norm === Infinity ? null : Math.max(thinnest, Math.round(10 * (widest - decade * Math.log10(largest / norm))) / 10);
  };
}

/** Names, each once, with how often it is there; of many the first three. */
function tally(names, apart = ", ") {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const words = [...counts].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
  return words.length > 4 ? `${words.slice(0, 3).join(apart)} and ${words.length - 3} more` : words.join(apart);
}

/** What is seen of a pass when the frames and repeats `closed` are. */
class Sight {
  constructor(pass, closed, side = "both") {
    Object.assign(this, { pass, closed });
    this.standIns = new Map(); // node of the whole pass -> what stands for it
    for (const id of pass.order) this.standIns.set(id, this.standIn(id));
    this.takeSumsIn();
    this.groupUpdates();
    this.listNodes();
    this.mergeArrows();
    this.drawSkips();
    this.settleSums();
    this.both = { order: this.order, nodes: this.nodes, edges: this.edges }; // a side that is not seen has its place
    if (side !== "both") this.show(side);
  }

  show(side) {
    this.order = this.order.filter((id) => this.nodes.get(id).side === side);
    this.nodes = new Map(this.order.map((id) => [id, this.nodes.get(id)]));
    this.edges = this.edges.filter(({ tail, head }) => this.nodes.has(tail) && this.nodes.has(head));
  }

  /** The frames around a node that are open, from the inside out. */
  framesAround(fact) {
    if (this.homes?.has(fact.id)) return this.homes.get(fact.id);
    const found = [];
    for (let id = fact.cluster; id; id = this.pass.frames[id].parent) if (!this.closed.has(id)) found.push(id);
    return found;
  }

  /** A frame's title: that of all rounds, where they are drawn once. */
  titleOf(id) {
    const frame = this.pass.frames[id];
    const repeat = frame.repeats.findLast((one) => this.closed.has(one));
    return repeat ? this.pass.repeats[repeat].titles[id] : frame.title;
  }

  folded(id) {
    for (let next = this.pass.folds.get(id); next && this.closed.has(next.repeat); next = this.pass.folds.get(id))
      id = next.id;
    return id;
  }

  standIn(id) {
    const folded = this.folded(id);
    const outermost = this.framesDown(folded).find((frame) => this.closed.has(frame));
    return outermost ? this.closedTo(outermost) : folded;
  }

  /** The frames around a node, open or closed, from the outside in. */
  framesDown(id) {
    const found = [];
    for (let frame = this.pass.facts[id].cluster; frame; frame = this.pass.frames[frame].parent) found.unshift(frame);
    return found;
  }

  /** Whether an arrow leads from one round of a repeat to the next, both of which one node stands for. */
  goesOn({ tail, head, kind }) {
    const { kind: seen, count } = this.pass.facts[this.standIns.get(head)];
    if (!["value", "gradient"].includes(kind) || !(count > 1) || MOVING.includes(seen)) return false;
    return this.roundOf(tail) !== this.roundOf(head);
  }

  /** The closed frame around a node, that of its own round; the node itself, if there is none. */
  roundOf(id) {
    const deep = this.framesDown(this.folded(id)).findIndex((frame) => this.closed.has(frame));
    return this.framesDown(id)[deep] ?? id;
  }

  /** What a closed frame is drawn as: a node of its own, or the operator that it is the inside of. */
  closedTo(frame) {
    const { owner, repeats } = this.pass.frames[frame];
    if (owner) return this.folded(owner);
    const repeat = repeats.findLast((one) => this.closed.has(one));
    return repeat ? `${frame}~${repeat}` : frame;
  }

  /** Whether the inside of an operator is seen: it has the rows, and the operator stands at the end of them. */
  isOpen(id) {
    const body = this.pass.bodies.get(id.split("~")[0]);
    return body !== undefined && !this.closed.has(body);
  }

  isClosedFrame(id) {
    return id.split("~")[0] in this.pass.frames;
  }

  /** The parameters inside a closed layer, with their shapes. */
  parametersIn(id) {
    if (!this.isClosedFrame(id)) return [];
    const inside = this.members.get(id).map((one) => this.pass.facts[one]).filter(({ kind }) => kind === "parameter");
    return inside.map(({ title, results: [{ shape }] }) => `${title} [${shape.join(", ")}]`);
  }

  /** A sum of gradients that all come from one closed frame, and one round of it, is a part of it, and so is one that adds to what comes from
   * it and leads back. */
  takeSumsIn() {
    const [tails, heads] = [new Map(), new Map()];
    for (const { tail, head } of this.pass.arrows) {
      tails.set(head, [...(tails.get(head) ?? []), tail]);
      heads.set(tail, [...(heads.get(tail) ?? []), head]);
    }
    const ends = (id, all) => new Set((all.get(id) ?? []).map((one) => this.standIns.get(one)));
    const taken = new Map(); // sum -> the round that it is a part of
    for (const [id, seen] of this.standIns) {
      if (this.pass.facts[seen].kind !== "accumulate") continue;
      const [makers, users] = [ends(id, tails), ends(id, heads)];
      const rounds = new Set((tails.get(id) ?? []).map((one) => taken.get(one) ?? this.roundOf(one)));
      const [only] = rounds.size === 1 ? makers : users;
      const isPart = rounds.size === 1 || (users.size === 1 && makers.has(only));
      if (!isPart || !this.isClosedFrame(only)) continue;
      taken.set(id, rounds.size === 1 ? [...rounds][0] : this.roundOf(heads.get(id)[0]));
      this.standIns.set(id, only);
    }
    this.joinSums();
  }

  /** Of sums that are drawn once for many rounds, one is a part of the next if that adds only more from a closed frame that this has. */
  joinSums() {
    const { facts, arrows } = this.pass;
    const isFolded = (id) => facts[id].kind === "accumulate" && facts[id].count > 1;
    const [makers, users] = [new Map(), new Map()];
    for (const ends of arrows) {
      const [tail, head] = [ends.tail, ends.head].map((id) => this.standIns.get(id));
      if (isFolded(head)) makers.set(head, (makers.get(head) ?? new Set()).add(tail));
      if (isFolded(tail)) users.set(tail, (users.get(tail) ?? new Set()).add(head));
    }
    for (const [id, [user, ...others]] of users) {
      const rest = [...(makers.get(user) ?? [])].filter((one) => one !== id);
      const adds = rest.length && rest.every((one) => this.isClosedFrame(one) && makers.get(id)?.has(one));
      if (others.length || !adds || facts[user].count !== facts[id].count) continue;
      makers.set(user, makers.get(id));
      for (const [one, seen] of this.standIns) if (seen === id) this.standIns.set(one, user);
    }
  }

  /** The updates of the parameters that went into one closed frame are drawn as one. */
  groupUpdates() {
    const titles = new Map();
    for (const [id, seen] of this.standIns) {
      const { side, twin, title } = this.pass.facts[seen];
      const frame = side === "update" && this.standIns.get(twin);
      if (!frame || !this.isClosedFrame(frame)) continue;
      if (!titles.has(frame)) titles.set(frame, []);
      const known = titles.get(frame);
      if (!known.includes(title)) known.push(title);
      const group = `${frame}~u${known.indexOf(title)}`;
      if (group in this.pass.facts) this.standIns.set(id, group);
    }
  }

  isWithin(id, frame) {
    let around = this.pass.facts[id].cluster;
    while (around && around !== frame) around = this.pass.frames[around].parent;
    return Boolean(around);
  }

  /** List what is seen in the order of the run: what is new comes where the last of its group, and of its round, was. */
  listNodes() {
    const { facts, places } = this.pass;
    const place = new Map();
    this.members = new Map();
    for (const [id, seen] of this.standIns) {
      const [base, ...closing] = seen.split("~");
      if (!this.members.has(seen)) this.members.set(seen, []);
      this.members.get(seen).push(id);
      if (places.has(base)) place.set(seen, places.get(base));
      else if (!place.has(seen) || (facts[id].kind !== "store" && (!closing.length || this.isWithin(id, base))))
        place.set(seen, places.get(id));
    }
    for (const { tail, head } of this.pass.arrows) { // a sum comes behind the last that gives a term of it
      const [giver, sum] = [tail, head].map((id) => this.standIns.get(id));
      if (facts[sum].kind === "accumulate") place.set(sum, Math.max(place.get(sum), place.get(giver)));
    }
    this.order = [...place].sort((one, other) => one[1] - other[1]).map(([id]) => id);
    this.nodes = new Map(this.order.map((id) => [id, facts[id]]));
  }

  /** One arrow for each pair and kind; what several bear is told together. */
  mergeArrows() {
    const merged = new Map();
    for (const arrow of this.pass.arrows) {
      const tail = this.standIns.get(arrow.tail);
      const head = this.standIns.get(arrow.head);
      if (tail === head && !this.goesOn(arrow)) continue;
      const grouped = tail !== arrow.tail || head !== arrow.head;
      const key = [tail, head, arrow.kind, grouped ? 0 : arrow.slot].join(" ");
      const known = merged.get(key);
      if (known) known.of.push(arrow);
      else merged.set(key, { tail, head, kind: arrow.kind, of: [arrow] });
    }
    this.edges = [...merged.values()].map((edge, number) => ({ ...edge, ...this.told(edge), id: `e${number}` }));
  }

  /** What a closed layer adds to its result as it came in, a residual connection, has an arrow of its own around the layer. */
  drawSkips() {
    const drawn = this.edges.flatMap((edge) => {
      const skip = this.skipOf(edge);
      const others = edge.of.filter((one) => one !== skip);
      return skip ? [{ ...edge, of: others }, { ...edge, of: [skip], names: skip.names, label: "+", skips: true }] : [edge];
    });
    this.edges = drawn.map((edge, number) => ({ ...edge, id: `e${number}` }));
  }

  /** Of the arrows into a closed layer the one to the sum at its end, if others lead to the operators before that. */
  skipOf({ head, kind, of }) {
    if (kind !== "value" || of.length < 2 || !this.isClosedFrame(head) || this.nodes.get(head).count > 1) return null;
    const after = (id) => this.pass.users.get(id)?.filter((one) => this.standIns.get(one) === head) ?? [];
    return of.find((arrow) => {
      if (this.pass.facts[arrow.head].op !== "elementwise_add") return false;
      const later = new Set(after(arrow.head));
      for (const id of later) for (const one of after(id)) later.add(one);
      const reached = new Set(of.filter((one) => one !== arrow).map((one) => one.head));
      for (const id of reached) for (const one of after(id)) reached.add(one);
      return later.size <= ENDING && reached.has(arrow.head);
    }) ?? null;
  }

  /** A sum of gradients stands in the frames that it leads to, of those that anything in it comes from. */
  settleSums() {
    const [into, outOf] = [new Map(), new Map()];
    for (const { tail, head, kind } of this.edges) {
      if (kind !== "gradient") continue;
      into.set(head, [...(into.get(head) ?? []), tail]);
      outOf.set(tail, [...(outOf.get(tail) ?? []), head]);
    }
    const homes = new Map();
    for (const id of [...this.order].reverse()) { // what it leads to before it
      const fact = this.nodes.get(id);
      if (fact.kind !== "accumulate" || fact.cluster) continue;
      const around = (all = []) => all.filter((one) => this.nodes.get(one).kind !== "accumulate" || homes.has(one))
        .map((one) => homes.get(one) ?? this.framesAround(this.nodes.get(one)));
      const [first = [], ...rest] = around(outOf.get(id));
      const from = around(into.get(id));
      const isBeside = (frame) => (this.pass.frames[frame].earlier ?? 0) === (fact.earlier ?? 0);
      homes.set(id, first.filter((frame) => rest.every((frames) => frames.includes(frame))
        && (from.length ? from.some((frames) => frames.includes(frame)) : isBeside(frame))));
    }
    this.homes = homes;
  }

  told({ tail, head, kind, of }) {
    const isInside = (id) => this.pass.facts[id].kind === "accumulate" && this.nodes.get(head).kind !== "accumulate"; // a sum that is not seen
    const told = tail === head ? of.filter((one) => !isInside(one.head)) : of; // from round to round go sums, not their terms
    const names = told.flatMap((one) => one.names);
    const repeats = this.nodes.get(tail).count > 1 && this.nodes.get(head).count > 1;
    if (kind === "gradient" && repeats) return { names, label: "" };
    const labels = of.map((one) => (isInside(one.head) ? tally(one.names) : one.label)).filter(Boolean);
    if (of.length === 1) return { names, label: labels[0] ?? "" };
    const isOne = [({ head }) => head, ({ tail, names: [name] }) => `${tail} ${name}`].some((key) => new Set(of.map(key)).size === 1);
    const named = kind === "saved" || (kind === "gradient" && labels.length && !isOne); // whose numbers are whose?
    return { names, label: named ? tally(names) : tally(labels, kind === "gradient" ? "; " : ", ") };
  }

  /** The node that stands on the other side of one, if it is among `nodes`: those that are seen. */
  twinOf(id, nodes = this.nodes) {
    const { twin } = this.pass.facts[id];
    if (!twin) return null;
    const seen = twin in this.pass.frames ? this.closedTo(twin) : this.standIns.get(twin);
    return nodes.has(seen) ? seen : null;
  }
}

/* ---- what one reader can open and close from a node -------------------------------------------------------------- */

/** The closed frame or repeat that a node stands for; null if there is nothing to open. */
function whatOpens(sight, id) {
  const [base, ...closing] = id.split("~");
  const { frames, repeats, nodes } = sight.pass;
  if (closing.at(-1)?.startsWith("u")) return null;
  if (base in frames) return base;
  const body = sight.pass.bodies.get(base);
  if (sight.closed.has(body)) return body;
  return closing.length && closing[0] in repeats && base in nodes ? closing[0] : null;
}

/** What would close around a node: the innermost open frame, and the innermost open repeat. */
function whatCloses(sight, id) {
  const fact = sight.nodes.get(id);
  const [frame = null] = sight.framesAround(fact);
  let repeat = null;
  const next = sight.pass.folds.get(sight.folded(id));
  if (next && !sight.closed.has(next.repeat)) repeat = next.repeat;
  return { frame, repeat };
}

/** Open or close a frame with its twin, or a repeat with those within it. Returns the new set of what is closed. */
function toggled(sight, id) {
  const { frames, repeats } = sight.pass;
  const closed = new Set(sight.closed);
  const opens = closed.has(id);
  if (id in repeats) {
    const around = Object.keys(repeats).filter((one) => repeats[one].inner.includes(id));
    for (const one of opens ? [id, ...around] : [id, ...repeats[id].inner]) opens ? closed.delete(one) : closed.add(one);
    return closed;
  }
  const together = [id, frames[id].twin, ...(frames[id].with ?? [])];
  for (const one of together) if (one in frames) opens ? closed.delete(one) : closed.add(one);
  return closed;
}
