import { z } from 'zod'
import { type ConnectorDefinition, tool } from '../../definition/definition.ts'
import { from } from '../../definition/template.ts'
import { GOOGLE_ERROR_FIELDS, googleOAuth } from '../google.ts'

const spreadsheetId = z
  .string()
  .regex(/^[\w-]{10,200}$/, 'must be a spreadsheet id')
  .describe('The part of the spreadsheet’s URL after /d/')
const range = z.string().min(1).max(300).describe("A1 notation: 'Sheet 1'!A1:D50, or a sheet name")
const rows = z
  .array(z.array(z.union([z.string().max(50_000), z.number(), z.boolean(), z.null()])).max(200))
  .min(1)
  .max(1000)
const input = z
  .enum(['RAW', 'USER_ENTERED'])
  .default('RAW')
  .describe('USER_ENTERED: dates and formulas are interpreted as if a person typed them')

export const googleSheets: ConnectorDefinition = {
  slug: 'google-sheets',
  name: 'Google Sheets',
  description: 'Read and write spreadsheet cells.',
  category: 'knowledge',
  docsUrl: 'https://developers.google.com/workspace/sheets/api/reference/rest',
  checkedAt: '2026-11-16',
  auth: googleOAuth(['https://www.googleapis.com/auth/spreadsheets', 'openid', 'email', 'profile']),
  baseUrl: 'https://sheets.googleapis.com',
  hosts: ['openidconnect.googleapis.com'],
  // The Sheets API has no request that names the account.
  check: {
    request: { method: 'GET', path: 'https://openidconnect.googleapis.com/v1/userinfo' },
    account: { id: 'sub', name: 'name', email: 'email', avatarUrl: 'picture' },
  },
  errorFields: GOOGLE_ERROR_FIELDS,
  tools: [
    tool({
      name: 'describe',
      description: 'Use this first to see a spreadsheet’s sheets with their names and sizes.',
      input: z.object({ spreadsheetId }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v4/spreadsheets/{spreadsheetId}',
        query: {
          fields:
            'spreadsheetId,spreadsheetUrl,properties(title,timeZone),sheets.properties(title,gridProperties(rowCount,columnCount))',
        },
      },
    }),
    tool({
      name: 'read_range',
      description: 'Use this to read cells. Trailing empty rows and cells are left out.',
      input: z.object({
        spreadsheetId,
        range,
        show: z
          .enum(['FORMATTED_VALUE', 'UNFORMATTED_VALUE', 'FORMULA'])
          .default('FORMATTED_VALUE')
          .describe('FORMULA: the formulas instead of their results'),
      }),
      effect: 'read',
      risk: 'none',
      request: {
        method: 'GET',
        path: '/v4/spreadsheets/{spreadsheetId}/values/{range}',
        query: { valueRenderOption: from('show') },
      },
      answer: { pick: ['range', 'values'] },
    }),
    tool({
      name: 'append_rows',
      description: 'Use this to add rows after a table’s last row.',
      input: z.object({ spreadsheetId, range: range.describe('A cell in the table'), rows, input }),
      effect: 'once',
      risk: 'send',
      request: {
        method: 'POST',
        path: '/v4/spreadsheets/{spreadsheetId}/values/{range}:append',
        query: { valueInputOption: from('input'), insertDataOption: 'INSERT_ROWS' },
        json: { values: from('rows') },
      },
      answer: { at: 'updates', pick: ['updatedRange', 'updatedRows', 'updatedCells'] },
    }),
    tool({
      name: 'update_range',
      description: 'Use this to replace the cells in a range. null leaves a cell as it is.',
      input: z.object({ spreadsheetId, range, rows, input }),
      effect: 'idempotent',
      risk: 'send',
      request: {
        method: 'PUT',
        path: '/v4/spreadsheets/{spreadsheetId}/values/{range}',
        query: { valueInputOption: from('input') },
        json: { values: from('rows') },
      },
      answer: { pick: ['updatedRange', 'updatedRows', 'updatedCells'] },
    }),
    tool({
      name: 'clear_range',
      description: 'Use this to empty the cells in a range. Their formats stay.',
      input: z.object({ spreadsheetId, range }),
      effect: 'idempotent',
      risk: 'delete',
      request: { method: 'POST', path: '/v4/spreadsheets/{spreadsheetId}/values/{range}:clear', json: {} },
      answer: { pick: ['clearedRange'] },
    }),
    tool({
      name: 'create_spreadsheet',
      description: 'Use this to create an empty spreadsheet in the account’s Drive.',
      input: z.object({ title: z.string().min(1).max(255) }),
      effect: 'once',
      risk: 'none',
      request: {
        method: 'POST',
        path: '/v4/spreadsheets',
        query: { fields: 'spreadsheetId,spreadsheetUrl' },
        json: { properties: { title: from('title') } },
      },
    }),
  ],
}
