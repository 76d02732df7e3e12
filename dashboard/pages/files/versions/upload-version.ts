import { ApiFailure } from '../../../../client/client.ts'
import type { ErrorBody } from '../../../../contract/errors.ts'

/** Sends the next content of a file as a form. */
export async function uploadVersion(id: string, content: File): Promise<void> {
  const form = new FormData()
  form.append('file', content, content.name)
  const response = await fetch(`/api/v1/files/${id}/versions`, { method: 'POST', body: form })
  if (response.ok) return
  const { error } = (await response.json()) as ErrorBody
  throw new ApiFailure(response.status, error)
}
