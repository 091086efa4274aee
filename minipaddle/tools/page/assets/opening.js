/* How a page opens: with as much open as is seen at once and can be read.
 *
 * Python closed what is too large for a file (minipaddle/tools/picture/fitting.py); a window has other room, and as far as the reader
 * asked for nothing else, it opens with all open if that fits. Else all is closed, and what still fits is opened: frames, the outer
 * ones first, and of those the nearest to the loss; frames with parameters of a small network before others, repeats last; but a
 * loop's iterations are told apart before they are opened. Of a layer whose way back has no room beside it the operators alone are
 * opened. In a small room rows are nearer to each other, with fewer lines in a box. What does not fit with all of it closed opens as
 * Python left it, on the loss. Whoever has touched the page keeps what is open. Read next: page.js.
 */

const FEW = 60; // nodes of a network that is so small that its parameters are seen, as in fitting.py
const SEEN = 150; // nodes in a window, at most: more are not laid out in order to see whether they fit
const LOOKED_AT = 20_000; // nodes, for all that is tried: a tenth of a second or two
const LETTERS = [0, 30, 37, 44, 50, 24]; // in a line of a box, in the order tried; 0: a line for each thing that is said

/** Frames and repeats in the order in which they are closed. */
function closingOrder({ order, places, nodes, frames, repeats }) {
  const around = (id) => (id ? [id, ...around(frames[id].parent)] : []);
  const loss = order.findLastIndex((id) => nodes[id].side === "forward");
  const known = new Map(); // frame -> how far from the loss it ends, and whether it holds parameters
  for (const id of order)
    for (const frame of around(nodes[id].cluster)) {
      const { far = Infinity, holds = false } = known.get(frame) ?? {};
      known.set(frame, { far: Math.min(far, Math.abs(places.get(id) - loss)), holds: holds || nodes[id].kind === "parameter" });
    }
  const rankOf = (id) => [order.length < FEW && known.get(id).holds ? 1 : 0, -around(id).length, -known.get(id).far];
  const loops = new Map(Object.entries(repeats).map(([id, { titles }]) => [id, Object.keys(titles).find((one) => frames[frames[one].parent]?.owner)])
    .filter(([, frame]) => known.has(frame)));
  const rank = (id) => (loops.has(id) ? rankOf(loops.get(id)).map((part, place) => part + (place === 1) / 2) : rankOf(id));
  const before = (one, other) => one.map((part, place) => part - other[place]).find((by) => by) ?? 0;
  const first = Object.keys(frames).filter((id) => known.has(id) && (frames[id].side === "forward" || !frames[id].twin));
  const others = Object.keys(repeats).reverse().filter((id) => !loops.has(id));
  return [...others, ...[...first, ...loops.keys()].sort((one, other) => before(rank(one), rank(other)))];
}

/** Whether all is seen of a pass in which so much is closed; the letters of a line and the width for that stay with the pass. */
function fits(pass, closed) {
  const sight = new Sight(pass, closed);
  return sight.order.length <= SEEN && LETTERS.some((letters) => [WIDEST, stage.size.across * SMALLEST].some((widest) => {
    Object.assign(pass, { letters, widest });
    return stage.holds(drawing.laidOut(sight, book.layout));
  }));
}

/** The frames that are drawn when the repeats in `closed` are, each with those of all rounds that it is drawn for. */
function drawnAsOne(pass, closed) {
  const sight = new Sight(pass, closed);
  const found = new Map(); // frame -> the one that it is drawn as
  for (const id of pass.order) {
    const drawn = sight.framesDown(sight.folded(id));
    sight.framesDown(id).forEach((frame, deep) => { if (!found.has(frame)) found.set(frame, drawn[deep] ?? frame); });
  }
  return groupsOf([...found.keys()], (frame) => found.get(frame));
}

/** Open what fits. Returns whether that changed anything. */
function openWhatFits(pass) {
  if (!book.fits) return false;
  const state = () => [pass.letters, pass.widest, pass.start].join(" ");
  const before = state();
  const closable = closingOrder(pass);
  let closed = new Set();
  if (!fits(pass, closed)) {
    for (const id of closable) if (!closed.has(id)) closed = toggled({ pass, closed }, id);
    if (!fits(pass, closed)) {
      Object.assign(pass, { letters: 0, widest: WIDEST });
      return false;
    }
    let tries = LOOKED_AT / pass.order.length;
    const alike = drawnAsOne(pass, closed); // as long as repeats are closed
    for (const id of closable.reverse()) {
      const { parent, twin, owner, with: others } = pass.frames[id] ?? {};
      if (!closed.has(id) || closed.has(parent) || (id in pass.frames && !alike.has(id)) || tries-- < 0) continue;
      const opened = (alike.get(id) ?? [id]).reduce((all, one) => (all.has(one) ? toggled({ pass, closed: all }, one) : all), closed);
      const alone = new Set([...closed].filter((one) => one !== id));
      closed = [opened, ...(twin && !owner && !others ? [alone] : [])].find((one) => fits(pass, one)) ?? closed;
    }
    fits(pass, closed);
  }
  pass.start = [...closed];
  return state() !== before;
}

/** Show a pass as it opens. What is seen changes the legend, and that the room: the least of these is counted with. */
function openPass() {
  let [more, room] = [true, Infinity];
  while (more) {
    stage.known = null;
    room = Math.min(room, stage.size.down);
    stage.known = { ...stage.size, down: room };
    more = openWhatFits(data);
    listViews();
    showView(firstView());
  }
}

const reader = { touched: false };
for (const kind of ["pointerdown", "keydown", "wheel"])
  window.addEventListener(kind, () => { reader.touched = true; }, { capture: true, once: true, passive: true });

/** Show what opened in a room that has another size now. */
function openAgain() {
  if (reader.touched || state.view !== firstView() || state.node || state.step !== null) openAtLoss();
  else openPass();
}
