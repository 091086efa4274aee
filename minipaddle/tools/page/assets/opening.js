/* How a page opens: with so much closed that all of it is seen at once and can be read.
 *
 * Python closed what is too large for a file (minipaddle/tools/picture/fitting.py); a window has less room, and here more is
 * closed until all fits, as far as the reader asked for nothing else: repeats, then frames, the innermost first, and of those the
 * farthest from the loss; frames with parameters of a small network last. What does not fit with all of it closed opens as Python
 * left it, on the loss. Whoever has touched the page keeps what is open. Read next: page.js.
 */

const FEW = 60; // nodes of a network that is so small that its parameters are seen, as in fitting.py

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
  const rank = (id) => [order.length < FEW && known.get(id).holds ? 1 : 0, -around(id).length, -known.get(id).far];
  const before = (one, other) => one.map((part, place) => part - other[place]).find((by) => by) ?? 0;
  const first = Object.keys(frames).filter((id) => known.has(id) && (frames[id].side === "forward" || !frames[id].twin));
  return [...Object.keys(repeats).reverse(), ...first.sort((one, other) => before(rank(one), rank(other)))];
}

/** What is closed after each step, the last time all of it. */
function closings(pass) {
  const all = [new Set(pass.start)];
  for (const id of closingOrder(pass)) if (!all.at(-1).has(id)) all.push(toggled({ pass, closed: all.at(-1) }, id));
  return all;
}

/** Close more of what is seen at first, if that lets all of it be seen. Returns whether anything was closed. */
function closeToFit(pass) {
  if (!book.fits) return false;
  const all = closings(pass);
  const fits = (place) => stage.holds(drawing.laidOut(new Sight(pass, all[place]), book.layout));
  let [open, closed] = [0, all.length - 1];
  if (fits(0) || !fits(closed)) return false;
  while (closed - open > 1) {
    const middle = Math.floor((open + closed) / 2);
    if (fits(middle)) closed = middle;
    else open = middle;
  }
  pass.start = [...all[closed]];
  return true;
}

/** Show a pass as it opens. What is seen changes the legend, and that the room. */
function openPass() {
  let more;
  do {
    stage.known = null;
    more = closeToFit(data);
    listViews();
    showView(firstView());
  } while (more);
}

const reader = { touched: false };
for (const kind of ["pointerdown", "keydown", "wheel"])
  window.addEventListener(kind, () => { reader.touched = true; }, { capture: true, once: true, passive: true });

/** Show what opened in a room that has another size now. */
function openAgain() {
  if (reader.touched || state.view !== firstView() || state.node || state.step !== null) openAtLoss();
  else openPass();
}
