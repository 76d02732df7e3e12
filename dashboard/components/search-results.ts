export interface FoundPage {
  title: string
  url: string
  host: string
  snippet: string
}

/** From a `web_search` call's output. Null if guardrails or a limit changed it. */
export function foundPages(output: unknown): FoundPage[] | null {
  const { results } = Object(output) as { results?: unknown }
  const json = /\n<<<(DATA-[0-9a-f]{32})\n([\s\S]*)\n\1>>>$/.exec(
    typeof results === 'string' ? results : '',
  )?.[2]
  if (json === undefined) return null
  try {
    const items: unknown = JSON.parse(json)
    if (!Array.isArray(items)) return null
    return items.flatMap((item) => {
      const { title, url, snippet } = Object(item) as Record<string, unknown>
      if (typeof url !== 'string' || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return []
      const { host } = new URL(url)
      return [{ title: textOf(title) || host, url, host, snippet: textOf(snippet) }]
    })
  } catch {
    return null
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
