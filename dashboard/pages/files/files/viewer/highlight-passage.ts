import { findQuote } from './find-quote.ts'

/** Marks a quote in an element, which may be in a frame, and scrolls to it. The document itself stays as it is. */
export function highlightPassage(root: HTMLElement, quote: string): () => void {
  const document = root.ownerDocument
  const view = document.defaultView as (Window & typeof globalThis) | null
  const nodes = textNodesOf(root)
  const found = findQuote(
    nodes.map(({ data }) => data),
    quote,
  )
  if (!found || !view?.CSS.highlights) return () => {}
  const range = document.createRange()
  range.setStart(nodes[found.start.index]!, found.start.offset)
  range.setEnd(nodes[found.end.index]!, found.end.offset + 1)
  view.CSS.highlights.set('citation', new view.Highlight(range))
  range.startContainer.parentElement?.scrollIntoView({ block: 'center' })
  return () => {
    view.CSS.highlights.delete('citation')
  }
}

function textNodesOf(root: HTMLElement): Text[] {
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const nodes: Text[] = []
  while (walker.nextNode()) nodes.push(walker.currentNode as Text)
  return nodes
}
