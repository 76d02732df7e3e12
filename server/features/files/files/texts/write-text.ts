import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { fileTexts } from '../../../../../contract/files/file-texts.ts'
import { textWithNames } from '../../../../../contract/text-with-names.ts'
import type { Context } from '../../../../context.ts'
import type { Sql } from '../../../../database/database.ts'
import { toSortKey } from '../../../../database/name-keys.ts'
import { type PreparedCall, reply } from '../../../../endpoint/route.ts'
import { badField, conflict } from '../../../../errors.ts'
import { declaredType } from '../content/file-types.ts'
import { updateStored } from '../object-queries.ts'
import { discardObject } from '../objects.ts'
import { type FileRow, present } from '../records.ts'
import { resolveDestination } from '../tree/destination.ts'
import { lockName } from '../tree/folder-queries.ts'
import { insertUpload, type StoredUpload, storeInspected } from '../upload/upload.ts'
import { replaceFile } from '../versions/versions.ts'

type Input = InputOf<typeof fileTexts.write>
type PreparedInput = Omit<Input, 'text'> & { upload: StoredUpload }

const FIELD = 'body.text'

/** Stores the text before the transaction that inserts its record. */
export async function prepareWriteText(
  ctx: Context<'objects' | 'quotas'>,
  { text, ...input }: Input,
  onDiscard: (discard: () => Promise<void>) => void,
): Promise<PreparedCall<PreparedInput>> {
  const { orgId } = ctx.caller
  const { name } = input
  const declared = declaredType('', name, 'body.name')
  await ctx.quotas.check(ctx.sql, orgId, { files: 1, storage: 1 })
  const expected = { name, declared, field: FIELD, size: null }
  const stored = await storeInspected(ctx, orgId, contentOf(text), expected)
  onDiscard(() => discardObject(ctx, orgId, stored.key))
  return { input: { ...input, upload: { name, ...stored } } }
}

export async function writeText(ctx: Context<'quotas'>, { upload, replace, ...fields }: PreparedInput) {
  const runId = ctx.caller.via === 'run' ? ctx.caller.credentialId : undefined
  const input = { ...fields, runId }
  if (!replace) return present(await insertUpload(ctx, upload, input))
  const { orgId } = ctx.caller
  const { name } = upload
  return ctx.transaction(async (inside) => {
    const parent = await resolveDestination(inside, input)
    await lockName(inside.sql, orgId, parent.id, name)
    const [file, another] = await lockFilesNamed(inside.sql, orgId, parent.id, name)
    if (!file) return present(await insertUpload(inside, upload, input))
    if (another)
      throw conflict(textWithNames`Several files in this folder are named ${name}: rename all but one`)
    if (file.source === 'link') throw badField('body.name', 'is a link’s name: write its target')
    return reply(present(await replaceStored(inside, file.id, upload)), { status: 200 })
  })
}

async function replaceStored(inside: Context<'quotas'>, id: string, upload: StoredUpload) {
  if (!(await updateStored(inside.sql, inside.caller.orgId, upload.key, inside.now())))
    throw conflict('The upload took too long: send it again')
  return replaceFile(inside, id, upload)
}

async function* contentOf(text: string): AsyncIterable<Uint8Array> {
  if (text !== '') yield Buffer.from(text)
}

const lockFilesNamed = (sql: Sql, orgId: string, parentId: string, name: string) => sql<
  Pick<FileRow, 'id' | 'source'>[]
>`
  select id, source from files
  where org_id = ${orgId} and parent_id = ${parentId} and rank = 1 and sort_key = ${toSortKey(name)}
    and name = ${name} and deleted_at is null and status = 'ready'
  order by id limit 2 for update`
