import { Buffer } from 'node:buffer'
import { agents } from '../../../../contract/agents/agents.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import type { ModelChoices, Models } from '../../../language-models/models.ts'
import type { InvoiceTexts, Recording } from '../../../language-models/test-models/recordings/recording.ts'
import { recordingIn } from '../../../language-models/test-models/recordings/recordings.ts'
import { SAMPLE_MODEL, TEST_PROVIDER } from '../../../language-models/test-models/test-models.ts'
import { newId } from '../../../security/ids.ts'
import { createAgent, findNamedAgent } from '../../agents/agents/agents.ts'
import { createSession } from '../../agents/chat/chat.ts'
import { type CanvasWrite, writeCanvas } from '../../canvas/canvas/canvas.ts'
import { discardObject, insertUpload, type StoredUpload, storeUpload } from '../../files/files/files.ts'
import { readSettings, refusingRule } from '../../organizations/settings/settings.ts'
import { createProject, lockProject, presentProject } from '../projects/projects.ts'
import { createFilledTable } from '../tables/tables.ts'
import { invoiceCanvas, researchCanvas } from './content.ts'
import { invoicesCsv, invoiceTable } from './invoices.ts'

/** A project that demonstrates Atrium to new users. It is created by the functions that create any project. */
export const sampleProject = ({ models }: { models: Models }): Feature => ({
  routes: [
    handle(
      projects.sample,
      (ctx, prepared: Prepared) => createSample(ctx, prepared),
      async (ctx, _input, onDiscard) => {
        const recording = recordingIn(ctx.origin.language)
        await ctx.quotas.check(ctx.sql, ctx.caller.orgId, { files: 2, storage: 2 })
        const store = async (name: string, mimeType: string, text: string) => {
          const content = async function* () {
            yield Buffer.from(text)
          }
          const stored = await storeUpload(ctx, { name, mimeType, content: content() })
          onDiscard(() => discardObject(ctx, ctx.caller.orgId, stored.key))
          return stored
        }
        const { file, invoices } = recording
        const csv = invoicesCsv(invoices)
        return {
          input: {
            recording,
            interviews: await store(file.name, 'text/markdown', file.text),
            invoices: { upload: await store(invoices.file, 'text/csv', csv), bytes: Buffer.byteLength(csv) },
            choices: await models.choices(ctx.caller.orgId),
          },
        }
      },
    ),
  ],
})

interface Prepared {
  recording: Recording
  interviews: StoredUpload
  invoices: { upload: StoredUpload; bytes: number }
  choices: ModelChoices
}

const createSample = (ctx: Context<'quotas'>, { recording, interviews, invoices, choices }: Prepared) =>
  ctx.transaction(async (inside) => {
    const row = await createProject(inside, {
      ...{ ...recording.project, emoji: '☕', prompt: null, tags: ['sample'], metadata: {} },
      ...{ visibility: 'private', publishes: true },
    })
    // Saving a file needs no approval, but shows how one looks.
    const agentId = await findOrCreateAgent(inside, recording.agent, {
      emoji: '🔎',
      approvals: { write_file: 'ask' },
    })
    const { id: fileId } = await insertUpload(inside, interviews, { projectId: row.id })
    const agentBlockId = agentId && newId()
    const ids = {
      goal: newId(),
      audience: newId(),
      file: newId(),
      agent: agentBlockId,
      fileId,
      agentId,
      newId,
    }
    await write(inside, row.id, researchCanvas(recording, ids))
    if (agentId) await addInvoices(inside, row.id, recording.invoices, invoices)
    const session =
      agentId &&
      (await createSession(choices, inside, {
        ...{ projectId: row.id, agentId, title: recording.chat.title },
        message: { content: recording.chat.question, fileIds: [], blockIds: [] },
      }))
    return { project: presentProject(row), sessionId: session ? session.id : null, agentBlockId }
  })

/** A workflow with a table and programs, which need no model either. */
async function addInvoices(
  ctx: Context<'quotas'>,
  projectId: string,
  texts: InvoiceTexts,
  { upload, bytes: fileBytes }: Prepared['invoices'],
): Promise<void> {
  const agentId = (await findOrCreateAgent(ctx, texts.agent, { emoji: '🧾' }))!
  const { id: fileId } = await insertUpload(ctx, upload, { projectId })
  const { id: tableId } = await createFilledTable(ctx, projectId, invoiceTable(texts))
  await write(ctx, projectId, invoiceCanvas(texts, { fileId, fileBytes, tableId, agentId, newId }))
}

const write = async (ctx: Context<'quotas'>, projectId: string, canvas: CanvasWrite) =>
  writeCanvas(ctx, await lockProject(ctx, projectId), canvas, { publishEvents: true })

const MODEL = `${TEST_PROVIDER}/${SAMPLE_MODEL}`

/** Null if the organization doesn't allow the model. */
async function findOrCreateAgent(
  ctx: Context<'quotas'>,
  { name, description }: { name: string; description: string },
  others: object,
): Promise<string | null> {
  const { sql, caller } = ctx
  if (refusingRule(await readSettings(sql, caller), caller.role, MODEL) !== null) return null
  const found = await findNamedAgent(sql, caller.orgId, { name, model: MODEL })
  if (found) return found
  const settings = agents.create.body.parse({ name, description, model: MODEL, ...others })
  return (await createAgent(ctx, settings)).id
}
