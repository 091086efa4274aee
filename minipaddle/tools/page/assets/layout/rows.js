/* Which row each node stands on, what stands beside another node, and which far uses are drawn as chips.
 *
 * Rows never change: a node stands on the row that the whole run gave it, and rows of which nothing is seen are left out.
 * Read next: branches.js.
 */

const MOVING = ["accumulate", "store"];

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
    const isShut = twin && fact.side !== "forward" && !sight.isOpen(id) && [id, twin].some((one) => sight.isClosedFrame(one) || sight.closed.has(sight.pass.bodies.get(one)));
    if (isShut || (twin && fact.side === "update")) rows.set(id, rows.get(twin));
  }
  for (const [id, { side, cluster }] of nodes) { // an operator of the way back stands above all of its inside
    const owner = side === "backward" ? sight.pass.frames[sight.framesAround({ cluster })[0]]?.owner : null;
    if (owner && owner !== id && rows.get(id) <= rows.get(owner)) rows.set(owner, rows.get(id) - 0.3);
  }
  return rows;
}

/** The operator that each leaf, and each constant, stands beside: its first user, if both are in the same frames; others have a row, and so
 * have those whose gradient a hook gets at last: it stands below that gradient. */
function besideOf(sight) {
  const { nodes, edges } = sight.both;
  const beside = new Map();
  const fed = new Set([...edges.map(({ head }) => head), ...[...nodes.keys()].map((id) => sight.twinOf(id, nodes))]);
  const isSource = (id) => LEAVES.includes(nodes.get(id).kind) || (nodes.get(id).kind === "op" && !fed.has(id));
  const seen = new Set(edges.filter(({ tail, head }) => nodes.get(tail).kind === "hook" && nodes.get(head).kind === "store")
    .map(({ head }) => sight.twinOf(head, nodes)));
  for (const { tail, head, kind } of edges) {
    const [leaf, user] = [nodes.get(tail), nodes.get(head)];
    if (!isSource(tail) || kind === "saved" || user.side !== "forward" || seen.has(tail)) continue;
    seen.add(tail);
    const alike = sight.framesAround(leaf)[0] === sight.framesAround(user)[0];
    if (alike && !LEAVES.includes(user.kind)) beside.set(tail, head);
  }
  for (const [id, fact] of nodes) {
    const leaf = ["store", "update"].includes(fact.kind) ? sight.twinOf(id, nodes) : null;
    if (leaf && beside.has(leaf)) beside.set(id, beside.get(leaf));
  }
  return putSumsBeside(sight, beside);
}

/** Let each sum of gradients of a leaf that stands beside an operator stand beside the last rule that it adds, in the same frames. */
function putSumsBeside(sight, beside) {
  const { order, nodes, edges } = sight.both;
  const gradients = edges.filter(({ kind }) => kind === "gradient");
  const ends = (id, from, to) => gradients.filter((edge) => edge[from] === id).map((edge) => edge[to]);
  for (const id of [...order].reverse()) { // what a sum leads to before it
    if (nodes.get(id).kind !== "accumulate") continue;
    beside.delete(id);
    const [heads, tails] = [ends(id, "tail", "head"), ends(id, "head", "tail")];
    const last = order.findLast((one) => tails.includes(one) && nodes.get(one).kind.endsWith("grad"));
    const alike = last && sight.framesAround(nodes.get(id))[0] === sight.framesAround(nodes.get(last))[0];
    if (alike && heads.length && heads.every((one) => beside.has(one) && MOVING.includes(nodes.get(one).kind))) beside.set(id, last);
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

/** A sum of gradients, or a leaf of the way back, stands above or below the frames that it is not in, not among their rows. */
function moveOutOfFrames(sight, rows, strips = new Map()) {
  const { order, nodes, edges } = sight.both;
  const isLoose = ({ kind, side }) => side === "backward" && (kind === "accumulate" || LEAVES.includes(kind));
  const spans = new Map(); // frame -> its first and last row
  for (const [id, fact] of nodes)
    if (fact.side === "backward" && !isLoose(fact) && fact.kind !== "store")
      for (const frame of sight.framesAround(fact)) {
        const { first, last, left, right } = spans.get(frame) ?? { first: Infinity, last: -Infinity, left: Infinity, right: 0 };
        const strip = strips.get(id) ?? 0;
        spans.set(frame, { first: Math.min(first, rows.get(id)), last: Math.max(last, rows.get(id)),
          left: Math.min(left, strip), right: Math.max(right, strip) });
      }
  const loose = order.filter((id) => isLoose(nodes.get(id)));
  const others = (id, from, to) => edges.filter((edge) => edge[from] === id).map((edge) => rows.get(edge[to]));
  for (const id of loose.filter((one) => LEAVES.includes(nodes.get(one).kind))) // below all that use it
    rows.set(id, Math.max(rows.get(id), ...others(id, "tail", "head").map((row) => row + 0.4)));
  for (const [place, id] of [...loose.entries()].reverse()) { // what a sum leads to before it
    const own = sight.framesAround(nodes.get(id));
    const strip = strips.get(id) ?? 0;
    for (const [frame, { first, last, left, right }] of spans) {
      if (strip < left || strip > right || own.includes(frame) || rows.get(id) < first || rows.get(id) > last) continue;
      if (others(id, "tail", "head").every((row) => row < first)) rows.set(id, first - 0.4 - 0.0001 * place); // later ones above
      else if (others(id, "head", "tail").every((row) => row > last)) rows.set(id, last + 0.4 - 0.0001 * place);
    }
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
    if (place.get(edge.tail) >= place.get(edge.head)) return true;
    return Math.abs(rows.get(edge.head) - rows.get(edge.tail)) > (uses.get(edge.tail) > book.chips.often ? book.chips.near : book.chips.far);
  };
  const long = new Set(flowing.filter(isLong));
  for (const edge of sight.edges) if (edge.kind === "saved" && sight.nodes.get(edge.head).side === "forward") long.add(edge);
  for (const edge of sight.edges) {
    delete edge.chip; // it may have been laid out before
    if (!long.has(edge)) continue;
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
    chip.lines = [`${namesIn(tally([...new Set(chip.names)]) || sight.nodes.get(chip.of).title, book.chips.longest)} ${circled(chip.number)}`];
  return { chips, numbers };
}

const circled = (number) => (number <= 20 ? String.fromCodePoint(0x245f + number) : `(${number})`);

/** Names in a line, as many as have room, and how many more; one that is too long is cut in its middle, for names differ at their ends. */
function namesIn(text, most) {
  const letters = [...text];
  if (lettersWide(letters) <= most) return text;
  const names = text.split(", ");
  const more = Number(/ and (\d+) more$/.exec(text)?.[1] ?? 0); // in the last of them
  for (let count = names.length - 1; count; count--) {
    const said = `${names.slice(0, count).join(", ")}, +${names.length - count + more}`;
    if (names.length > 1 && lettersWide([...said]) <= most) return said;
  }
  const behind = names.length > 1 ? `, +${names.length - 1 + more}` : "";
  const first = [...names[0]];
  const half = Math.floor(((most - behind.length - 1) / 2) * (first.length / lettersWide(first)));
  return `${first.slice(0, half).join("")}…${first.slice(-half).join("")}${behind}`;
}

/** How many letters have the width of some: a Chinese one is as wide as two. */
const lettersWide = (letters) => letters.reduce((sum, letter) => sum + (letter > "\u2e7f" ? 2 : 1), 0);
