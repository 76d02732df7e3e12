import { ApiFailure } from '../../../../client/client.ts'
import type { ErrorBody } from '../../../../contract/errors.ts'
import type { ImportResult } from '../../../api/tables.ts'

interface ImportFields {
  createColumns: boolean
  dryRun: boolean
  mapping: Record<string, string | null>
}

/** The client sends JSON only. */
export async function uploadImport(id: string, file: File, fields: ImportFields): Promise<ImportResult> {
  const form = new FormData()
  for (const name of ['createColumns', 'dryRun'] as const) form.set(name, String(fields[name]))
  form.set('mapping', JSON.stringify(fields.mapping))
  form.set('file', file)
  const response = await fetch(`/api/v1/tables/${id}/import`, { method: 'POST', body: form }).catch(() => {
    throw new ApiFailure(0, { code: 'UNAVAILABLE', message: 'The server could not be reached' })
  })
  const body = (await response.json()) as ImportResult | ErrorBody
  if ('error' in body) throw new ApiFailure(response.status, body.error)
  return body as ImportResult
}
