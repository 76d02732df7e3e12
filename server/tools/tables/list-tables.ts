import { z } from 'zod'
import { tables } from '../../../contract/projects/tables.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool } from '../tool.ts'
import { describeTable } from './table-ref.ts'

const OUTPUT_BYTES = 32_000

const listInput = z.strictObject({
  project: projectInput,
  query: z.string().min(1).max(100).optional().describe('Part of the name'),
})

export const listTables: Tool<z.output<typeof listInput>> = {
  name: 'list_tables',
  description: 'List a project’s tables with their columns. Use it before you read or write rows.',
  input: listInput,
  effect: 'read',
  risk: 'none',
  async run(call, { project: ref, query }) {
    const { id: projectId } = await resolveProject(call, ref)
    const { items } = await callEndpoint(call, tables.list, { params: { projectId } })
    const found = items.filter(({ name }) => !query || name.toLowerCase().includes(query.toLowerCase()))
    const described = found.map(describeTable)
    if (Buffer.byteLength(JSON.stringify(described)) <= OUTPUT_BYTES) return { tables: described }
    return {
      tables: described.map(({ columns, ...table }) => ({ ...table, columns: columns.length })),
      note: 'Too many columns to show: give a query',
    }
  },
}
