import { files } from '../../../contract/files/files.ts'
import { projects } from '../../../contract/projects/projects.ts'
import { callEndpoint } from '../../tools/call-endpoint.ts'
import type { ToolCall } from '../../tools/tool.ts'

/** The most that the protocol allows in one response. */
const VALUES_MAX = 100

interface CompletionRef {
  ref: { type: string }
  argument: { name: string; value: string }
}

/** Values for the variables of resource templates: slugs of projects, and ids of files by a part of their name. */
export async function complete(call: ToolCall, { ref, argument: { name, value } }: CompletionRef) {
  if (ref.type !== 'ref/resource') return completion([], false)
  const search = value === '' ? undefined : value.slice(0, 255)
  const query = { search, limit: VALUES_MAX }
  if (name === 'slug') {
    const { items, nextCursor } = await callEndpoint(call, projects.list, { query })
    const slugs = items.map(({ slug }) => slug)
    return completion(slugs, nextCursor !== null)
  }
  if (name === 'id') {
    const { items, nextCursor } = await callEndpoint(call, files.list, { query })
    const fileIds = items.filter(({ source }) => source !== 'folder').map(({ id }) => id)
    return completion(fileIds, nextCursor !== null)
  }
  return completion([], false)
}

const completion = (values: string[], hasMore: boolean) => ({
  completion: { values, hasMore, ...(hasMore ? {} : { total: values.length }) },
})
