import { type ExtractedText, markdownBlocks } from '../../../../../../markdown/text-blocks.ts'
import { decode } from '../encoding.ts'
import type { RenderJob } from '../job.ts'
import { type TableLimits, truncateBytes } from '../limits.ts'
import { sanitizeHtml } from '../sanitize.ts'
import { readEmail } from './email.ts'
import { htmlBlocks } from './html-blocks.ts'
import { joinBlocks } from './join-blocks.ts'
import { tableBlocks } from './table-blocks.ts'

const TABLE: TableLimits = { rowsMax: 20_000, unitsMax: 8_000_000 }

/** The text of an untrusted file and its parts. Nothing is shown as HTML. */
export async function extract(bytes: Uint8Array, job: RenderJob): Promise<ExtractedText> {
  const extracted = joinBlocks(await read(bytes, job))
  return { ...extracted, truncated: extracted.truncated || job.isPartial }
}

async function read(bytes: Uint8Array, job: RenderJob): Promise<ExtractedText> {
  switch (job.extract!) {
    case 'text':
    case 'markdown':
      return ofText(decode(bytes), job)
    case 'html':
      return ofHtml(decode(bytes), job)
    case 'email':
      return ofEmail(bytes, job)
    case 'pdf':
      return (await import('./pdf-pages.ts')).extractPdf(bytes, job)
    case 'csv':
      return tableBlocks((await import('../table-csv.ts')).renderCsv(bytes, job, TABLE))
    case 'workbook':
      return tableBlocks((await import('../table-xlsx.ts')).renderWorkbook(bytes, job, TABLE))
    case 'docx': {
      const { html, truncated } = await (await import('../document-docx.ts')).renderDocx(bytes, job)
      return { ...htmlBlocks(html), truncated }
    }
    case 'pptx': {
      const { html, truncated } = await (await import('../document-pptx.ts')).renderPptx(bytes, job)
      return { ...htmlBlocks(html), truncated }
    }
  }
}

function ofText(text: string, { textBytesMax }: RenderJob): ExtractedText {
  const read = truncateBytes(text.replaceAll('\r\n', '\n').toWellFormed(), textBytesMax)
  return { ...markdownBlocks(read), truncated: read.length < text.replaceAll('\r\n', '\n').length }
}

function ofHtml(source: string, { textBytesMax }: RenderJob): ExtractedText {
  const { html, isTruncated } = sanitizeHtml(source, textBytesMax)
  return { ...htmlBlocks(html), truncated: isTruncated }
}

function ofEmail(bytes: Uint8Array, job: RenderJob): ExtractedText {
  const { subject, lines, text, html } = readEmail(bytes)
  const body = text !== null ? ofText(text, job) : html !== null ? ofHtml(html, job) : ofText('', job)
  const head = [subject, ...lines].join('\n')
  const start = head.length + 2
  return {
    text: `${head}\n\n${body.text}`,
    blocks: [
      { from: 0, to: subject.length, level: 1 },
      { from: Math.min(subject.length + 1, head.length), to: head.length },
      ...body.blocks.map((block) => ({ ...block, from: block.from + start, to: block.to + start })),
    ],
    pages: null,
    truncated: body.truncated,
  }
}
