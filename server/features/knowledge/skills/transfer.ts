import { Readable } from 'node:stream'
import type { InputOf } from '../../../../contract/endpoint.ts'
import { SKILL_FILE } from '../../../../contract/knowledge/skill-options.ts'
import type { skills } from '../../../../contract/knowledge/skills.ts'
import type { Context } from '../../../context.ts'
import { reply } from '../../../endpoint/route.ts'
import { type ZipEntry, zip } from '../../../storage/zip.ts'
import { addSkill, changeSkill, getSkill, lockForChange, requireEditor } from './change.ts'
import { readPackage } from './package.ts'
import { findFile, findIdByName } from './queries.ts'
import type { SkillRow } from './records.ts'
import { decodeText, renderSkillText } from './skill-text.ts'
import { describeFile, storeFiles, toMetadata } from './store-files.ts'

const PREVIEW_CHARACTERS = 10_000

/** Lets a user read an import before agents follow it. */
export async function previewArchive(ctx: Context, { archive }: InputOf<typeof skills.preview>) {
  const { files, ...text } = readPackage(Buffer.from(archive, 'base64'))
  return {
    ...text,
    files: files.map(({ path, content }) => {
      const decoded = decodeText(content)
      return {
        path,
        size: content.length,
        isText: decoded !== null,
        text: decoded?.slice(0, PREVIEW_CHARACTERS).toWellFormed() ?? null,
      }
    }),
    replaces: await findIdByName(ctx.sql, ctx.caller.orgId, text.name),
  }
}

export async function importSkill(
  ctx: Context<'quotas'>,
  { archive, replace }: InputOf<typeof skills.import>,
): Promise<SkillRow> {
  await requireEditor(ctx)
  const { files: contents, ...text } = readPackage(Buffer.from(archive, 'base64'))
  return ctx.transaction(async (inside) => {
    const existing = replace ? await findIdByName(inside.sql, ctx.caller.orgId, text.name) : null
    if (!existing) return addSkill(inside, text, contents, 'imported')
    const before = await lockForChange(inside, { id: existing.id })
    const files = contents.map(describeFile).toSorted((a, b) => (a.path < b.path ? -1 : 1))
    await storeFiles(inside, existing.id, files)
    const content = { ...text, files: files.map(toMetadata) }
    return changeSkill(inside, before, content, { change: 'imported', restoredFrom: null })
  })
}

export async function exportSkill(ctx: Context, { id, byteRequest }: InputOf<typeof skills.export>) {
  const row = await getSkill(ctx, { id })
  const { name } = row.content
  const headers = {
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${name}.zip"`,
  }
  if (byteRequest.headOnly) return reply(null, { bytes: { content: null, headers } })
  return reply(null, { bytes: { content: Readable.from(zip(entriesOf(ctx, row))), headers } })
}

async function* entriesOf(
  { sql, caller }: Context,
  { id, content, updatedAt }: SkillRow,
): AsyncGenerator<ZipEntry> {
  const entry = (path: string, open: () => Promise<Readable>): ZipEntry => ({
    path: `${content.name}/${path}`,
    modifiedAt: new Date(updatedAt),
    open,
    compress: true,
  })
  yield entry(SKILL_FILE, async () => Readable.from([Buffer.from(renderSkillText(content), 'utf8')]))
  for (const { path, hash } of content.files)
    yield entry(path, async () => Readable.from([(await findFile(sql, caller.orgId, id, hash))!]))
}
