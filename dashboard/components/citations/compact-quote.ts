/** Without a text file's heading marks and empty lines, which a short quote has no room for. */
export const compactQuote = (quote: string): string =>
  quote
    .trim()
    .replace(/^#{1,6} /gm, '')
    .replace(/\n{2,}/g, '\n')
