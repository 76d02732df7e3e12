/** Spoken text with the spaces that separate it from the text around the caret. */
export function spacedAt(text: string, caret: number, spoken: string): string {
  const before = caret > 0 && !/\s/.test(text[caret - 1]!) ? ' ' : ''
  const after = caret < text.length && !/[\s.,;:!?)]/.test(text[caret]!) ? ' ' : ''
  return `${before}${spoken}${after}`
}
