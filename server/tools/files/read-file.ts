import { z } from 'zod'
import { Id } from '../../../contract/fields.ts'
import { fileTexts } from '../../../contract/files/file-texts.ts'
import { files } from '../../../contract/files/files.ts'
import type { FilePreview } from '../../../contract/files/previews.ts'
import { ApiError, badRequest } from '../../errors.ts'
import { fence } from '../../language-models/fence.ts'
import { callEndpoint } from '../call-endpoint.ts'
import { clip } from '../clip.ts'
import { htmlToText } from '../html-to-text.ts'
import { projectInput, resolveProject } from '../project-ref.ts'
import type { Tool, ToolCall } from '../tool.ts'
import { type FoundFile, findFile } from './file-refs.ts'

const TEXT_BYTES = 32_000

const input = z.strictObject({
  project: projectInput,
  file: z.string().min(1).max(2000).describe('Id, path in the project folder, or exact name'),
  as: z.enum(['text', 'record']).default('text'),
  offset: z.int().min(0).default(0).describe('`nextOffset` from the previous part'),
  limit: z.int().min(16).max(TEXT_BYTES).default(TEXT_BYTES).describe('Bytes'),
})

export const readFile: Tool<z.output<typeof input>> = {
  name: 'read_file',
  description:
    'Read a file’s text (also from PDF, Word and spreadsheet files), or its record: size, type, folder, tags. Long texts come in parts.',
  input,
  effect: 'read',
  risk: 'none',
  isOutside: (output) => (output as { outside?: boolean }).outside === true,
  async run(call, { project: ref, file: fileRef, as, offset, limit }) {
    const file = await findFileOf(call, ref, fileRef)
    if (as === 'record') return file
    if (file.source === 'folder')
      throw badRequest(`file: ${fileRef} is a folder. Use list_files with folder ${file.id}`)
    const { text, nextOffset, note } = await readPart(call, file, offset, limit)
    const fileFields = {
      id: file.id,
      name: file.name,
      mimeType: file.mimeType,
      ...(note && { note }),
      ...(nextOffset !== null && { nextOffset }),
    }
    // Any member's upload may contain untrusted content. The run's own files don't, until it has read such content:
    // then they may repeat it, as a saved web page does.
    if (call.runId !== null && file.runId === call.runId && call.trust === 'trusted')
      return { ...fileFields, text }
    const source = `the file ${file.name}`
    return { ...fileFields, source, content: fence(text, source), outside: true }
  },
}

/** A file id needs no project if the caller has no default project. */
async function findFileOf(call: ToolCall, projectRef: string | undefined, ref: string): Promise<FoundFile> {
  if (projectRef === undefined && call.projectId === null && Id.safeParse(ref).success)
    return callEndpoint(call, files.get, { params: { id: ref } })
  return findFile(call, await resolveProject(call, projectRef), ref, 'file')
}

interface Part {
  text: string
  nextOffset: number | null
  note?: string
}

/** A text file's source, or any other file's preview text. */
async function readPart(call: ToolCall, file: FoundFile, offset: number, limit: number): Promise<Part> {
  const params = { id: file.id }
  try {
    return await callEndpoint(call, fileTexts.read, { params, query: { offset, limit } })
  } catch (error) {
    const isNotText =
      error instanceof ApiError && (error.details as { reason?: string })?.reason === 'not_text'
    if (!isNotText) throw error
  }
  const preview = await callEndpoint(call, files.preview, { params })
  const { text, next } = clip(textOf(preview, file), limit, offset)
  return {
    text,
    nextOffset: next,
    note: `Extracted from ${file.mimeType}${preview.truncated ? '; the file has more than its preview shows' : ''}`,
  }
}

function textOf(preview: FilePreview, { name, mimeType }: FoundFile): string {
  if (preview.kind === 'text') return preview.text
  if (preview.kind === 'document') return htmlToText(preview.html).text
  if (preview.kind === 'table')
    return preview.sheets
      .map((sheet) => `# ${sheet.name}\n${sheet.rows.map((row) => row.join('\t')).join('\n')}`)
      .join('\n\n')
  throw badRequest(`file: ${name} is not text (${mimeType}), so it cannot be read as text. Use as: "record"`)
}
