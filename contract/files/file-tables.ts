import { z } from 'zod'
import { endpoint, member } from '../endpoint.ts'
import { Id, queryInteger } from '../fields.ts'
import { READ_BYTES_MAX } from './file-texts.ts'

export const fileTables = {
  read: endpoint({
    method: 'GET',
    path: '/api/v1/files/:id/table',
    summary: 'Read a spreadsheet',
    description:
      'Returns the rows of a CSV file or a workbook up to 25 MB, or the part selected by `offset` and `limit`. Rows of all sheets are counted together: a sheet’s first row follows the rows of the sheets before it. Cells are texts as displayed; formulas aren’t evaluated. Other files return BAD_REQUEST, as do tables with more than 100,000 rows, 100 columns, 20 sheets, or 10,000 characters in a cell.',
    access: member({ scope: 'files:read' }),
    params: z.object({ id: Id }),
    query: z.object({
      offset: queryInteger(0, Number.MAX_SAFE_INTEGER, 0).describe('Rows to skip'),
      limit: queryInteger(16, READ_BYTES_MAX, 65_536).describe(
        'Maximum size of the rows in bytes of JSON; a larger row is returned alone',
      ),
    }),
    output: z.object({
      id: Id,
      name: z.string(),
      mimeType: z.string(),
      sheets: z.array(z.object({ name: z.string(), rows: z.int() })).describe('Hidden sheets are omitted'),
      parts: z.array(
        z.object({
          sheet: z.string(),
          rows: z.array(z.array(z.string())).describe('Empty cells at the end of a row are omitted'),
        }),
      ),
      nextOffset: z.int().nullable().describe('`offset` of the next part; null at the end of the last sheet'),
    }),
    envelope: true,
    tool: 'read',
  }),
}
