import { z } from 'zod'
import { SEARCH_FRESHNESS } from '../../../../../../contract/knowledge/search-providers.ts'
import { fence } from '../../../../../language-models/fence.ts'
import { clip } from '../../../../../tools/clip.ts'
import type { RunTool } from '../../state/run-tool.ts'
import { mayRead } from '../../web/domains.ts'
import { fenceResults } from '../../web/fenced-results.ts'
import { chargeSearch } from './charge-search.ts'
import { requireWithin } from './per-run-limit.ts'

const QUERY_CHARACTERS_MAX = 400
const SUMMARY_BYTES = 8000

const input = z.strictObject({
  query: z.string().trim().min(1).max(QUERY_CHARACTERS_MAX),
  count: z.int().min(1).max(20).default(8),
  freshness: z
    .enum(SEARCH_FRESHNESS)
    .optional()
    .describe('Only pages from the last day, week, month or year'),
})

export const webSearch: RunTool<z.output<typeof input>> = {
  name: 'web_search',
  description:
    'Find web pages with a search engine. Make all searches you need in one step: after this run has read results, a person must approve each further search. Read results with web_fetch, at exactly the URL given: these need no approval.',
  input,
  effect: 'read',
  // A query is a message to another company, and untrusted content may have worded it.
  risk: (_, { trust }) => (trust === 'trusted' ? 'none' : 'send'),
  isOutside: true,
  summarize: ({ query }) => `Search the web for: ${query}`,
  async run(call, query) {
    const { web, sql, orgId, outbound, signal, now, run } = call
    await requireWithin(call, 'web_search', web.limits.searchesPerRun)
    const base = { sql, orgId, outbound, signal, now }
    const opened = await web.openSearch({ ...base, ...web.domains, model: run.model })
    const { results: found, summary } = await chargeSearch(call, opened, () => opened.search(query))
    const readable = found.filter(({ url }) => mayRead(web.domains, url))
    const isWhole = readable.length === found.length
    const results = readable.slice(0, query.count)
    return {
      ...(results.length === 0 && { note: noteFor(found.length) }),
      results: fenceResults(results, 'a web search'),
      // It may be about pages that the agent may not read.
      ...(isWhole && summary && { summary: fence(clip(summary, SUMMARY_BYTES, 0).text, 'a web search') }),
    }
  },
}

const noteFor = (found: number) =>
  found === 0
    ? 'Nothing was found: try other words'
    : `All ${found} results are on domains that this agent may not read`
