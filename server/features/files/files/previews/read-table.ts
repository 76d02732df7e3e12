import type { Preview, PreviewFailure, RenderJob } from './job.ts'
import { previewKind } from './kinds.ts'
import { createRendererPool } from './renderer-pool.ts'

/** 100,000 rows take longer than a preview. */
const TIME_MS = 30_000

/** Previews have their own renderers, so imports don't slow them down. */
const renderers = createRendererPool<Preview<'table'>>({
  ...{ concurrency: 2, concurrencyPerOrg: 1, waitingPerOrgMax: 4, timeMs: TIME_MS },
})

export interface TableFile {
  name: string
  mimeType: string
}

/** False for a file that is no table. */
export const isTableFile = (file: TableFile): boolean => formatOf(file) !== null

/** Browsers name many types for the same extension. */
function formatOf({ mimeType, name }: TableFile): 'csv' | 'workbook' | null {
  if (/\.(xlsx|xlsm|xlsb|xls|ods)$/i.test(name)) return 'workbook'
  if (/\.(csv|tsv)$/i.test(name)) return 'csv'
  const { kind } = previewKind(mimeType, name)
  return kind === 'csv' || kind === 'workbook' ? kind : null
}

/** All sheets of a CSV file or workbook as texts, as a spreadsheet shows them. None if the table is `truncated`. */
export async function readTableFile(
  orgId: string,
  file: TableFile,
  open: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<Preview<'table'> | { failed: PreviewFailure }> {
  const { mimeType, name } = file
  const format = formatOf(file) ?? 'csv'
  const isTabbed = mimeType === 'text/tab-separated-values' || /\.tsv$/i.test(name)
  const type = format === 'csv' ? (isTabbed ? 'text/tab-separated-values' : 'text/csv') : mimeType
  const job: RenderJob = {
    ...{ format, mimeType: type, language: null, isPartial: false, textBytesMax: 0, isTableWhole: true },
  }
  const outcome = await renderers.render(orgId, job, open)
  return 'failed' in outcome ? outcome : outcome.preview
}
