/* How the Chinese search takes a query apart: into the words of its own index, the longest first. Nothing stands between
 * Chinese words, and a query that is looked up as a whole is found only where the index has just that word. */
const CHINESE = /\p{Script=Han}+|[^\p{Script=Han}]+/gu;

const isIndexed = (word) => [Search._index.terms, Search._index.titleterms].some((words) => Object.hasOwn(words, word));

function splitChinese(text) {
  const words = [];
  for (let at = 0; at < text.length; ) {
    let end = text.length;
    while (end > at + 1 && !isIndexed(text.slice(at, end))) end--;
    if (end > at + 1) words.push(text.slice(at, end));
    at = end; // a character that begins no word of the index is no more than 的 or 了
  }
  return words.length ? words : [text];
}

var splitQuery = (query) =>
  query
    .split(/[^\p{Letter}\p{Number}_\p{Emoji_Presentation}]+/u)
    .flatMap((part) => part.match(CHINESE) ?? [])
    .flatMap((part) => (/\p{Script=Han}/u.test(part) ? splitChinese(part) : [part]));
