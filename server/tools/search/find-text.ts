import { search } from '../../../contract/search/search.ts'
import type { SearchType } from '../../../contract/search/search-options.ts'
import { callEndpoint } from '../call-endpoint.ts'
import type { ToolCall } from '../tool.ts'
import { RESULTS_MAX } from './hit.ts'

/** Results of the product's search, without the excerpts around matches: third parties may have written them. */
export async function findByText(call: ToolCall, q: string, type: SearchType, projectId?: string) {
  const query = { q, types: type, limit: RESULTS_MAX + 1, ...(projectId && { projectId }) }
  return (await callEndpoint(call, search.find, { query })).items
}
