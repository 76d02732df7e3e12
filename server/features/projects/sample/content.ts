import type { InvoiceTexts, Recording } from '../../../language-models/test-models/recordings/recording.ts'
import type { CanvasWrite } from '../../canvas/canvas/canvas.ts'
import { checkProgram, everyInvoice, markProgram } from './invoices.ts'

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
const RESEARCH_HEIGHT = 536

interface BlockFields {
  id?: string
  type: 'note' | 'task' | 'file' | 'agent' | 'group' | 'table'
  x: number
  y: number
  height: number
  width?: number
  title?: string
  content?: string
  color?: string
  fileId?: string
  metadata?: Record<string, unknown>
}

const blockIn = (parentId: string | null, newId: () => string) => (fields: BlockFields) => ({
  ...{ id: newId(), width: WIDTH, rotation: 0, parentId, title: null, content: null, color: null },
  ...{ fileId: null, locked: false, metadata: {} },
  ...fields,
})

/** Notes and a file that lead to the agent, and the tasks below it. */
export function researchCanvas(recording: Recording, ids: Ids): CanvasWrite {
  const { goal, audience, file, agent, fileId, agentId, newId } = ids
  const group = newId()
  const block = blockIn(group, newId)
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
          ...block({ id: group, type: 'group', x: 0, y: 0, height: RESEARCH_HEIGHT, title: recording.group }),
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

const INVOICES_TOP = RESEARCH_HEIGHT + 80
/** Below its title. */
const INVOICES_Y = INVOICES_TOP + TOP
const RESULTS_Y = INVOICES_Y + 400
const RESULT_NOTE_HEIGHT = 96
/** With room for its caption. */
const CHART = { x: column(3), y: RESULTS_Y, width: 520, height: 321 }
const MARGIN = 40

interface InvoiceIds {
  fileId: string
  fileBytes: number
  tableId: string
  agentId: string
  newId: () => string
}

/** A file, its rows as a table, and two programs. What they write has its place below the table. */
export function invoiceCanvas(texts: InvoiceTexts, ids: InvoiceIds): CanvasWrite {
  const { fileId, fileBytes, tableId, agentId, newId } = ids
  const [group, file, check, mark] = [newId(), newId(), newId(), newId()]
  const block = blockIn(group, newId)
  const notes = { x: column(1), y: RESULTS_Y, width: WIDTH, height: RESULT_NOTE_HEIGHT, gap: 16, columns: 2 }
  const step = { type: 'code' }
  const program = (id: string, y: number, title: string, content: string, metadata: object) =>
    block({
      ...{ id, type: 'agent', x: column(0), y, height: 200, title, content },
      metadata: { agentId, step, ...metadata },
    })
  const forEach = everyInvoice(tableId)
  return {
    create: {
      blocks: [
        {
          ...block({ id: group, type: 'group', x: 0, y: INVOICES_TOP, height: 0, title: texts.group }),
          ...{ parentId: null, width: CHART.x + CHART.width + MARGIN },
          height: RESULTS_Y + 4 * (RESULT_NOTE_HEIGHT + notes.gap) + MARGIN - INVOICES_TOP,
        },
        block({ type: 'note', x: column(0), y: INVOICES_Y, height: 168, color: 'amber', ...texts.hint }),
        block({
          ...{ id: file, type: 'file', x: column(0), y: INVOICES_Y + 184, height: 120 },
          ...{ title: texts.file, fileId, metadata: { mimeType: 'text/csv', size: fileBytes } },
        }),
        block({
          ...{ type: 'table', x: column(1), y: INVOICES_Y, height: 376, title: texts.table },
          ...{ width: CHART.x + CHART.width - column(1), metadata: { tableId } },
        }),
        program(check, INVOICES_Y + 320, texts.check, checkProgram(texts), { forEach }),
        program(mark, INVOICES_Y + 544, texts.mark, markProgram(texts, { group, notes, chart: CHART }), {}),
      ],
      edges: [
        { id: newId(), fromBlockId: file, toBlockId: check, label: null },
        { id: newId(), fromBlockId: check, toBlockId: mark, label: null },
      ],
    },
  }
}
