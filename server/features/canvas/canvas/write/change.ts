import type { canvas } from '../../../../../contract/canvas/canvas.ts'
import type { InputOf } from '../../../../../contract/endpoint.ts'
import type { Context } from '../../../../context.ts'
import { newId } from '../../../../security/ids.ts'
import { changeCanvas } from './write.ts'

/** Applies many changes, all or none. */
export async function change(
  ctx: Context,
  { projectId, runId, create, ...rest }: InputOf<typeof canvas.change>,
) {
  const write = {
    create: { blocks: create?.blocks.map(withId), edges: create?.edges.map(withId) },
    update: rest.update,
    delete: rest.delete,
  }
  return changeCanvas(ctx, projectId, write, { runId })
}

const withId = <T extends { id?: string | undefined }>(item: T) => ({ ...item, id: item.id ?? newId() })
