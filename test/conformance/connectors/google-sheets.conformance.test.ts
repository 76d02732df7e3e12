import { test } from 'vitest'
import { googleSheets } from '../../../server/features/connections/connectors/catalog/knowledge/google-sheets.ts'
import {
  expectSameRequests,
  type ToolCase,
} from '../../../server/features/connections/connectors/catalog/testing/compare-tools.ts'
import { createTarget } from '../../../server/features/connections/connectors/catalog/testing/tool-request.ts'

const sheets = async (url: string) => {
  const { sheets_v4 } = await import('@googleapis/sheets')
  return new sheets_v4.Sheets({ rootUrl: `${url}/`, retry: false })
}

const SHEET = '1AbCdEfGhIj'
const RANGE = "'Sheet 1'!A1:B2"
const SHEETS: ToolCase[] = [
  [
    'describe',
    { spreadsheetId: SHEET },
    async (url) =>
      (await sheets(url)).spreadsheets.get({
        spreadsheetId: SHEET,
        fields:
          'spreadsheetId,spreadsheetUrl,properties(title,timeZone),sheets.properties(title,gridProperties(rowCount,columnCount))',
      }),
  ],
  [
    'read_range',
    { spreadsheetId: SHEET, range: RANGE, show: 'FORMULA' },
    async (url) =>
      (await sheets(url)).spreadsheets.values.get({
        spreadsheetId: SHEET,
        range: RANGE,
        valueRenderOption: 'FORMULA',
      }),
  ],
  [
    'append_rows',
    { spreadsheetId: SHEET, range: 'Log', rows: [['a', 1, null]] },
    async (url) =>
      (await sheets(url)).spreadsheets.values.append({
        spreadsheetId: SHEET,
        range: 'Log',
        valueInputOption: 'RAW',
        insertDataOption: 'INSERT_ROWS',
        requestBody: { values: [['a', 1, null]] },
      }),
  ],
  [
    'update_range',
    { spreadsheetId: SHEET, range: RANGE, rows: [['=1+1']], input: 'USER_ENTERED' },
    async (url) =>
      (await sheets(url)).spreadsheets.values.update({
        spreadsheetId: SHEET,
        range: RANGE,
        valueInputOption: 'USER_ENTERED',
        requestBody: { values: [['=1+1']] },
      }),
  ],
  [
    'clear_range',
    { spreadsheetId: SHEET, range: RANGE },
    async (url) =>
      (await sheets(url)).spreadsheets.values.clear({ spreadsheetId: SHEET, range: RANGE, requestBody: {} }),
  ],
  [
    'create_spreadsheet',
    { title: 'New' },
    async (url) =>
      (await sheets(url)).spreadsheets.create({
        fields: 'spreadsheetId,spreadsheetUrl',
        requestBody: { properties: { title: 'New' } },
      }),
  ],
]

test("google-sheets sends its SDK's requests", async () => {
  await expectSameRequests(createTarget(googleSheets), SHEETS)
})
