import { findQuotes } from './find-quote.ts'

/** Marks a quote in an element, which may be in a frame, and scrolls to it. The document itself stays as it is. */
export function highlightPassage(root: HTMLElement, quote: string): () => void {
  const { first, remove } = highlight('citation', root, [quote])
  first?.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  return remove
}

/** Marks quotes that follow each other, from an element on. */
export function highlight(
  name: 'citation' | 'message',
  root: HTMLElement,
  quotes: readonly string[],
  from: Element = root,
): { first: Range | undefined; remove: () => void } {
  const view = root.ownerDocument.defaultView as (Window & typeof globalThis) | null
  const ranges = view?.CSS.highlights ? rangesOf(root, quotes, from) : []
  if (ranges.length > 0) view!.CSS.highlights.set(name, new view!.Highlight(...ranges))
  return { first: ranges[0], remove: () => view?.CSS.highlights?.delete(name) }
}

function rangesOf(root: HTMLElement, quotes: readonly string[], from: Element): Range[] {
  const nodes = textNodesOf(root, from)
  const found = findQuotes(
    nodes.map(({ data }) => data),
    quotes,
  )
  return found.map(({ start, end }) => {
    const range = root.ownerDocument.createRange()
    range.setStart(nodes[start.index]!, start.offset)
    range.setEnd(nodes[end.index]!, end.offset + 1)
    return range
  })
}

function textNodesOf(root: HTMLElement, from: Element): Text[] {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  walker.currentNode = from
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  return nodes
}
