import { open, rename, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { Id } from '../../../contract/fields.ts'
import {
  ORGANIZATION_SORTS,
  ORGANIZATION_STATUSES,
} from '../../../contract/organizations/lifecycle-options.ts'
import { recordAudit } from '../../audit/record.ts'
import { openInstallation, requireInstalled } from '../../backup/installation.ts'
import { formatBytes } from '../../backup/progress.ts'
import { readConfig } from '../../config/config.ts'
import { createContext, type PublicContext } from '../../context.ts'
import { StartupError } from '../../errors.ts'
import {
  cancel,
  listStoredErasures,
  request,
  streamArchive,
} from '../../features/organizations/lifecycle/lifecycle.ts'
import { listRows, resume, suspend } from '../../features/organizations/operated/operated.ts'
import { createLog } from '../../log.ts'
import { randomHex } from '../../security/random.ts'
import { createVault } from '../../security/vault.ts'
import { openObjects } from '../../storage/open.ts'
import { createSuspensions } from '../../suspensions/suspensions.ts'
import { requireSecret } from '../data-folder.ts'
import { formatTable } from '../table.ts'

/** A shell has no signed-in user, so the audit log names the system. */
const OPERATOR = { userId: null, via: 'system' as const }
const LIMIT_MAX = 1000
const ERASURES_MAX = 1000

const ListOptions = z.object({
  search: z.string().min(1).optional(),
  status: z.enum(ORGANIZATION_STATUSES).optional(),
  sort: z.enum(ORGANIZATION_SORTS),
  limit: z.coerce.number().int().min(1).max(LIMIT_MAX),
  json: z.boolean().optional(),
})

export async function list(input: unknown): Promise<void> {
  const options = ListOptions.safeParse(input)
  if (!options.success) {
    const [issue] = options.error.issues
    throw new StartupError(`--${issue!.path.join('.')}: ${issue!.message}`)
  }
  const { json, search, status, sort, limit } = options.data
  const rows = await withInstallation(({ sql }) =>
    listRows(sql, { search, status, sort, after: null, limit }),
  )
  // `key` is the cursor position.
  if (json) return print(JSON.stringify(rows, (name, value) => (name === 'key' ? undefined : value), 2))
  if (rows.length === 0) return print('No organizations match.')
  const header = [
    'ID',
    'Name',
    'Status',
    'Members',
    'Projects',
    'Files',
    'Storage',
    'Runs',
    'Spend',
    'Last active',
  ]
  print(
    formatTable([
      header,
      ...rows.map((row) => [
        ...[row.id, row.name, row.status, number(row.members), number(row.projects), number(row.files)],
        ...[formatBytes(row.storage), number(row.runs), `$${Number(row.spend).toFixed(2)}`, row.activeAt],
      ]),
    ]),
  )
}

export async function suspendOrganization(input: string, reason: string): Promise<void> {
  const id = idOf(input)
  if (reason.trim() === '' || reason.length > 500)
    throw new StartupError('--reason must have 1 to 500 characters.')
  await withInstallation((ctx) => suspend(ctx, id, { reason: reason.trim(), by: OPERATOR }))
  print('Suspended. Every server process applies it within a second.')
}

export async function resumeOrganization(input: string): Promise<void> {
  const id = idOf(input)
  await withInstallation((ctx) => resume(ctx, id, OPERATOR))
  print('Resumed. Waiting work continues.')
}

export async function exportOrganization(input: string, file: string, signal: AbortSignal): Promise<void> {
  const id = idOf(input)
  const target = resolve(file)
  const draft = `${target}.incomplete-${randomHex(4)}`
  // Fails if the file exists, and reserves the name.
  await (await open(target, 'wx')).close()
  try {
    const handle = await open(draft, 'wx', 0o600)
    const written = { rows: 0, files: 0 }
    await withInstallation(async (ctx) => {
      const archive = streamArchive(ctx, id, (progress) => {
        Object.assign(written, progress)
      })
      await pipeline(archive, handle.createWriteStream({ flush: true }), { signal })
      const by = { orgId: id, ...OPERATOR }
      await recordAudit(ctx, { action: 'organization.export-requested', by, target: id })
    })
    await rename(draft, target)
    print(`${target}: ${number(written.rows)} rows and ${number(written.files)} files.`)
  } catch (error) {
    await rm(draft, { force: true })
    await rm(target, { force: true })
    throw error
  }
}

export async function eraseOrganization(input: string, name: string): Promise<void> {
  const id = idOf(input)
  const erasure = await withInstallation((ctx) => request(ctx, id, name, { ...OPERATOR, byOperator: true }))
  print(
    `The organization is closed. It will be deleted after ${erasure.eraseAfter}.`,
    `To undo it: atrium-server orgs undo-erase ${id}`,
  )
}

export async function undoErasure(input: string): Promise<void> {
  const id = idOf(input)
  await withInstallation((ctx) => cancel(ctx, id, { ...OPERATOR, byOperator: true }))
  print('The organization will not be erased.')
}

export async function listErasures(): Promise<void> {
  const rows = await withInstallation(({ sql }) =>
    listStoredErasures(sql, { before: null, limit: ERASURES_MAX }),
  )
  print(JSON.stringify(rows, null, 2))
}

function idOf(input: string): string {
  const id = Id.safeParse(input)
  if (id.success) return id.data
  throw new StartupError(`${input} is not an organization ID. \`atrium-server orgs list\` lists them.`)
}

const number = (value: number) => value.toLocaleString('en')

const print = (...lines: string[]) => void process.stdout.write(`${lines.join('\n')}\n`)

type CommandContext = Pick<
  PublicContext<'objects' | 'suspensions' | 'vault'>,
  'sql' | 'now' | 'origin' | 'transaction' | 'suspensions' | 'objects' | 'vault'
>

/** Works beside a running server. */
async function withInstallation<T>(work: (ctx: CommandContext) => Promise<T>): Promise<T> {
  const config = readConfig()
  const vault = createVault(await requireSecret(config))
  const installation = await openInstallation(config, 'orgs')
  try {
    const { pool } = installation
    await requireInstalled(pool, vault)
    return await work(
      createContext({
        caller: null,
        origin: { ip: 'command line', userAgent: null, baseUrl: config.publicUrl ?? '', flowSecret: null },
        sql: pool,
        now: () => new Date(),
        vault,
        objects: await openObjects(config, vault),
        suspensions: createSuspensions(pool, pool, await createLog(config.logLevel)),
      }),
    )
  } finally {
    await installation.close()
  }
}
