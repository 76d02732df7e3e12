import { open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { canonicalJson } from '../../contract/canonical-json.ts'
import { StartupError } from '../errors.ts'
import { sha256 } from '../security/digest.ts'

/** Increment with every change an earlier version couldn't restore. */
const FORMAT = 1
/** Written last: a folder without it is an incomplete backup. */
const FILE = 'manifest.json'

const Count = z.int().nonnegative()

/** A backup file. The hash covers the file as stored. */
const Part = z.strictObject({ file: z.string(), bytes: Count, sha256: z.string() })

const Table = Part.extend({
  schema: z.string(),
  name: z.string(),
  columns: z.array(z.string()),
  rows: Count,
})

const Manifest = z.strictObject({
  format: z.literal(FORMAT),
  atrium: z.string(),
  postgres: z.string(),
  /** Snapshot time: later changes aren't in the backup. */
  createdAt: z.iso.datetime(),
  /** Keyed hash of the master secret, which isn't in the backup. */
  secretFingerprint: z.string(),
  /** The schema: applied migrations and the job library's schema version. */
  migrations: z.array(z.strictObject({ name: z.string(), checksum: z.string() })),
  jobsSchema: Count,
  tables: z.array(Table),
  partitions: z.array(z.strictObject({ name: z.string(), parent: z.string(), bound: z.string() })),
  sequences: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  objects: z.strictObject({
    count: Count,
    bytes: Count,
    list: Part,
    /** Keys with no bytes in the object store (`missing`) or another hash (`damaged`). */
    missing: z.array(z.string()),
    damaged: z.array(z.string()),
  }),
})

export type Part = z.output<typeof Part>
export type DumpedTable = z.output<typeof Table>
export type Manifest = z.output<typeof Manifest>

export const createBackupManifest = (content: Omit<Manifest, 'format'>): Manifest => ({
  format: FORMAT,
  ...content,
})

export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await using file = await open(join(folder, FILE), 'wx', 0o600)
  await file.writeFile(`${JSON.stringify({ ...manifest, sha256: digestOf(manifest) }, null, 2)}\n`)
  await file.sync()
}

/** Only a complete backup has one. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, FILE), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
    throw new StartupError(
      `${folder} is not a complete backup: it has no ${FILE}, which is written last. Use another backup.`,
    )
  })
  const { sha256: digest, ...content } = parseObject(text, folder)
  if (typeof content.format === 'number' && content.format > FORMAT) {
    throw new StartupError(
      `The backup ${folder} was made by a newer Atrium version (${String(content.atrium)}). Restore it with that version.`,
    )
  }
  const parsed = Manifest.safeParse(content)
  if (!parsed.success || digest !== digestOf(parsed.data)) throw damagedError(folder)
  return parsed.data
}

const digestOf = (manifest: Manifest): string => sha256(canonicalJson(manifest)).toString('hex')

function parseObject(text: string, folder: string): Record<string, unknown> {
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw damagedError(folder)
  }
}

const damagedError = (folder: string) =>
  new StartupError(`${join(folder, FILE)} is damaged: its checksum does not match. Use another backup.`)
