import { join } from 'node:path'
import type { Config } from '../config/config.ts'
import type { Vault } from '../security/vault.ts'
import { diskStore } from './disk.ts'
import type { ObjectStore } from './object-store.ts'

/** The store that the configuration asks for, found to work. */
export async function openObjects(
  { objects, dataFolder }: Pick<Config, 'objects' | 'dataFolder'>,
  vault: Vault,
): Promise<ObjectStore> {
  const folder = join(dataFolder, 'objects')
  const store = objects.kind === 'disk' ? diskStore(folder, vault) : await bucket(objects, folder)
  await store.check()
  return store
}

/** The SDK is large, and most starts do without it. */
async function bucket(
  place: Extract<Config['objects'], { kind: 's3' }>,
  spoolFolder: string,
): Promise<ObjectStore> {
  const { s3Store } = await import('./s3.ts')
  return s3Store(place, spoolFolder)
}
