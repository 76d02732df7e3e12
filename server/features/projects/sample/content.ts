import type { Recording } from '../../../language-models/test-models/recordings/recording.ts'
import type { CanvasWrite } from '../../canvas/canvas/canvas.ts'

interface Ids {
  goal: string
  audience: string
  file: string
  agent: string | null
  fileId: string
  agentId: string | null
  newId: () => string
}

const [WIDTH, GAP, TOP, NOTE_HEIGHT] = [280, 40, 72, 120]
const column = (index: number) => GAP + index * (WIDTH + GAP)
/** The last one is empty until the agent adds its findings. */
const COLUMNS = 3

/** Notes and a file that lead to the agent, and the tasks below it. */
export function sampleCanvas(recording: Recording, ids: Ids): CanvasWrite {
  const { goal, audience, file, agent, fileId, agentId, newId } = ids
  const group = newId()
  const block = (fields: {
    id?: string
    type: 'note' | 'task' | 'file' | 'agent' | 'group'
    x: number
    y: number
    height: number
    width?: number
    title?: string
    content?: string
    color?: string
    fileId?: string
    metadata?: Record<string, unknown>
  }) => ({
    ...{ id: newId(), width: WIDTH, rotation: 0, parentId: group, title: null, content: null, color: null },
    ...{ fileId: null, locked: false, metadata: {} },
    ...fields,
  })
  const note = (id: string, index: number, color: string) =>
    block({
      id,
      type: 'note',
      x: column(0),
      y: TOP + index * 152,
      height: NOTE_HEIGHT,
      color,
      ...recording.notes[index],
    })
  const edge = (fromBlockId: string) => ({ id: newId(), fromBlockId, toBlockId: agent!, label: null })
  return {
    create: {
      blocks: [
        {
          ...block({ id: group, type: 'group', x: 0, y: 0, height: 536, title: recording.group }),
          ...{ parentId: null, width: column(COLUMNS) },
        },
        note(goal, 0, 'teal'),
        note(audience, 1, 'blue'),
        block({
          id: file,
          type: 'file',
          x: column(0),
          y: 376,
          height: 120,
          title: recording.file.name,
          fileId,
          metadata: { mimeType: 'text/markdown', size: Buffer.byteLength(recording.file.text) },
        }),
        ...(agent && agentId
          ? [
              block({
                ...{
                  id: agent,
                  type: 'agent',
                  x: column(1),
                  y: TOP,
                  height: 216,
                  title: recording.agent.name,
                },
                ...{ content: recording.work.instructions, metadata: { agentId } },
              }),
            ]
          : []),
        ...recording.tasks.map((title, index) =>
          block({
            ...{ type: 'task', x: column(1), y: 320 + index * 64, height: 56, title },
            metadata: index === 0 ? { done: true } : {},
          }),
        ),
      ],
      edges: agent ? [edge(goal), edge(audience), edge(file)] : [],
    },
  }
}
