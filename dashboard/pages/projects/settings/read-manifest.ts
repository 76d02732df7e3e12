import type { RequestOf } from '../../../../contract/endpoint.ts'
import type { Contract } from '../../../../contract/index.ts'

type RestoreRequest = RequestOf<Contract['backups']['restore']>
export type Manifest = Omit<RestoreRequest, 'projectId' | 'dryRun' | 'mode' | 'planHash'>

type Read = { manifest: Manifest; problem?: undefined } | { manifest?: undefined; problem: string }

/** Whether a file is a manifest at all; the server checks the rest, checksum included. */
export function readManifest(text: string): Read {
  try {
    const value: unknown = JSON.parse(text)
    if (
      typeof value === 'object' &&
      value !== null &&
      'format' in value &&
      value.format === 'atrium/project'
    ) {
      return { manifest: value as Manifest }
    }
    return { problem: 'This is not a manifest of a project. Choose a file that was exported from one.' }
  } catch {
    return { problem: 'This file is not JSON. Choose a manifest that was exported from a project.' }
  }
}
