import type { Pages } from '../definition/definition.ts'
import type { RequestTemplate, TemplateValue } from '../definition/request-template.ts'
import type { ProviderAnswer } from './answer.ts'
import { valueAt } from './template.ts'

interface Position {
  /** How many pages and items have been read. */
  pages: number
  items: number
  /** How many items the first and the last page had. */
  first: number
  last: number
}

/**
 * The request for the page after this answer; null if there is none. Only parameters change: the URL in a `link` header
 * gives its parameters and nothing else, so that no answer decides where the token is sent.
 */
export function nextPage(
  pages: Pages,
  template: RequestTemplate,
  answer: ProviderAnswer,
  { pages: pagesRead, items, first, last }: Position,
): RequestTemplate | null {
  if (pages.by === 'link') return byLink(template, answer.headers.link)
  if (pages.by === 'cursor') {
    const cursor = valueAt(answer.body, pages.next)
    if ((typeof cursor !== 'string' && typeof cursor !== 'number') || cursor === '') return null
    return 'query' in pages.send
      ? withQuery(template, { [pages.send.query]: cursor })
      : withBody(template, pages.send.body.split('.'), cursor)
  }
  // A page that is shorter than the first one is the last.
  if (last === 0 || last < first) return null
  const position = pages.by === 'page' ? (pages.first ?? 1) + pagesRead : items
  return withQuery(template, { [pages.send.query]: position })
}

function byLink(template: RequestTemplate, link: string | undefined): RequestTemplate | null {
  const next = link?.split(/,\s*(?=<)/).find((part) => /;\s*rel="?([^";]*\s)?next\b/i.test(part))
  const url = /<([^>]*)>/.exec(next ?? '')?.[1]
  if (url === undefined || !URL.canParse(url, 'https://provider.invalid')) return null
  const { searchParams } = new URL(url, 'https://provider.invalid')
  return withQuery(
    template,
    Object.fromEntries([...new Set(searchParams.keys())].map((name) => [name, searchParams.getAll(name)])),
  )
}

const withQuery = (template: RequestTemplate, query: Record<string, TemplateValue>): RequestTemplate => ({
  ...template,
  query: { ...template.query, ...query },
})

/** For GraphQL, the path starts with `variables`. */
function withBody(template: RequestTemplate, path: string[], value: TemplateValue): RequestTemplate {
  const { graphql, form, json } = template
  if (graphql) {
    const variables = setAt(graphql.variables ?? {}, path[0] === 'variables' ? path.slice(1) : path, value)
    return { ...template, graphql: { ...graphql, variables: variables as Record<string, TemplateValue> } }
  }
  if (form) return { ...template, form: { ...form, [path.join('.')]: value } }
  return { ...template, json: setAt(json ?? {}, path, value) }
}

function setAt(target: TemplateValue, [name, ...rest]: string[], value: TemplateValue): TemplateValue {
  if (name === undefined) return value
  const fields =
    typeof target === 'object' && target !== null && !Array.isArray(target) ? target : ({} as const)
  const child = (fields as Record<string, TemplateValue>)[name] ?? {}
  return { ...fields, [name]: setAt(child, rest, value) }
}
