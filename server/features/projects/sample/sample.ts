import { Buffer } from 'node:buffer'
import { agents } from '../../../../contract/agents/agents.ts'
import { projects } from '../../../../contract/projects/projects.ts'
import type { Context } from '../../../context.ts'
import { handle } from '../../../endpoint/route.ts'
import type { Feature } from '../../../feature.ts'
import type { ModelChoices, Models } from '../../../language-models/models.ts'
import type { Recording } from '../../../language-models/test-models/recordings/recording.ts'
import { recordingIn } from '../../../language-models/test-models/recordings/recordings.ts'
import { SAMPLE_MODEL, TEST_PROVIDER } from '../../../language-models/test-models/test-models.ts'
import { newId } from '../../../security/ids.ts'
import { createAgent, findNamedAgent } from '../../agents/agents/agents.ts'
import { createSession } from '../../agents/chat/chat.ts'
import { writeCanvas } from '../../canvas/canvas/canvas.ts'
import { discardObject, insertUpload, type StoredUpload, storeUpload } from '../../files/files/files.ts'
import { readSettings, refusingRule } from '../../organizations/settings/settings.ts'
import { createProject, lockProject, presentProject } from '../projects/projects.ts'
import { sampleCanvas } from './content.ts'

/** A project that demonstrates Atrium to new users. It is created by the functions that create any project. */
export const sampleProject = ({ models }: { models: Models }): Feature => ({
  routes: [
    handle(
      projects.sample,
      (ctx, { upload, choices }: { upload: StoredUpload; choices: ModelChoices }) =>
        createSample(choices, ctx, upload),
      async (ctx, _input, onDiscard) => {
        await ctx.quotas.check(ctx.sql, ctx.caller.orgId, { files: 1, storage: 1 })
        const { file } = recordingIn(ctx.origin.language)
        const content = async function* () {
          yield Buffer.from(file.text)
        }
        const stored = await storeUpload(ctx, {
          name: file.name,
          mimeType: 'text/markdown',
          content: content(),
        })
        onDiscard(() => discardObject(ctx, ctx.caller.orgId, stored.key))
        return { input: { upload: stored, choices: await models.choices(ctx.caller.orgId) } }
      },
    ),
  ],
})

const createSample = (models: ModelChoices, ctx: Context<'quotas'>, upload: StoredUpload) =>
  ctx.transaction(async (inside) => {
    const recording = recordingIn(ctx.origin.language)
    const row = await createProject(inside, {
      ...{ ...recording.project, emoji: '☕', prompt: null, tags: ['sample'], metadata: {} },
      ...{ visibility: 'private', publishes: true },
    })
    const agentId = await findOrCreateAgent(inside, recording.agent)
    const { id: fileId } = await insertUpload(inside, upload, { projectId: row.id })
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
    await writeCanvas(inside, await lockProject(inside, row.id), sampleCanvas(recording, ids), {
      publishEvents: true,
    })
    const session =
      agentId &&
      (await createSession(models, inside, {
        ...{ projectId: row.id, agentId, title: recording.chat.title },
        message: { content: recording.chat.question, fileIds: [], blockIds: [] },
      }))
    return { project: presentProject(row), sessionId: session ? session.id : null, agentBlockId }
  })

const MODEL = `${TEST_PROVIDER}/${SAMPLE_MODEL}`

/** Null if the organization doesn't allow the model. */
async function findOrCreateAgent(
  ctx: Context<'quotas'>,
  { name, description }: Recording['agent'],
): Promise<string | null> {
  const { sql, caller } = ctx
  if (refusingRule(await readSettings(sql, caller), caller.role, MODEL) !== null) return null
  const found = await findNamedAgent(sql, caller.orgId, { name, model: MODEL })
  if (found) return found
  // Saving a file needs no approval, but shows how one looks.
  const approvals = { write_file: 'ask' }
  const settings = agents.create.body.parse({ name, emoji: '🔎', description, model: MODEL, approvals })
  return (await createAgent(ctx, settings)).id
}
