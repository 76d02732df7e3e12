/** Only `html` creates this, escaping everything else. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | null | undefined | false | Part[]

export function html(strings: TemplateStringsArray, ...parts: Part[]): Markup {
  return new Markup(String.raw({ raw: strings }, ...parts.map(textOf)))
}

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/** Only `code` and links within this server. HTML and external URLs stay plain text. */
export function inline(text: string): Markup {
  const pieces = text.split(/(`[^`]+`|\[[^\]]+\]\((?:#|\/(?!\/))[\w./-]*\))/)
  return html`${pieces.map((piece, index) => (index % 2 === 0 ? piece : inlineMark(piece)))}`
}

function inlineMark(piece: string): Markup {
  if (piece.startsWith('`')) return inlineCode(piece.slice(1, -1))
  const [, label = '', url = ''] = /^\[(.+)\]\((.+)\)$/.exec(piece) ?? []
  return html`<a href="${url}">${label}</a>`
}

/** Long names would widen the page. */
const inlineCode = (code: string): Markup =>
  code.length > 18 ? html`<code class="long">${breakable(code)}</code>` : html`<code>${code}</code>`

export const breakable = (name: string): Markup =>
  html`${name.split(/(?<=[./_:](?=\S))/).map((piece, index) => (index === 0 ? piece : html`<wbr>${piece}`))}`

function textOf(part: Part): string {
  if (part instanceof Markup) return part.text
  if (Array.isArray(part)) return part.map(textOf).join('')
  return part === null || part === undefined || part === false ? '' : escapeHtml(String(part))
}
