import type { ReactFlowProps } from '@xyflow/react'
import { addBlock, connect, edit } from '../actions/editing.ts'
import { connectTo } from '../actions/modes.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { placed } from '../tools/tools.ts'
import { blockAt, isPainted } from './lod.ts'
import type { BlockNode, LineEdge } from './nodes.ts'

type Props = ReactFlowProps<BlockNode, LineEdge>

/** What clicks and hovering mean. The functions read how things are when they are called, and never change themselves. */
export function pointerOf(canvas: OpenCanvas) {
  const { board, desk, store, view, editable } = canvas

  function openMenu(
    event: { clientX: number; clientY: number; preventDefault: () => void },
    block?: string,
    edge?: string,
  ) {
    event.preventDefault()
    const { blocks, edges } = board.selection.get()
    const isChosen = block ? blocks.has(block) : edge ? edges.has(edge) : false
    if (!isChosen) board.select(block ? [block] : [], edge ? [edge] : [])
    desk.menu.set({ x: event.clientX, y: event.clientY })
  }

  return {
    onInit: (flow) => view.attach(flow),
    onNodeMouseEnter: (_, { id }) => desk.hovered.set(id),
    onNodeMouseLeave: (_, { id }) => {
      if (desk.hovered.get() === id) desk.hovered.set(null)
    },
    onNodeClick: (event, { id }) => {
      const tool = placed(desk.tool.get())
      if (tool) addBlock(canvas, tool, view.at({ x: event.clientX, y: event.clientY }))
      else connectTo(canvas, id)
    },
    onNodeDoubleClick: (_, { id }) => {
      if (store.items.blocks.get(id)?.locked || !editable.get()) return
      board.select([id])
      edit(canvas)
    },
    onEdgeDoubleClick: (_, { id }) => {
      if (editable.get()) desk.editing.set({ id, field: 'label' })
    },
    onPaneClick: (event) => {
      const at = view.at({ x: event.clientX, y: event.clientY })
      const tool = placed(desk.tool.get())
      desk.kept.set(new Set())
      if (tool) return addBlock(canvas, tool, at)
      // A finger comes without having been over it, so what is painted under it is no element yet.
      const under = isPainted(canvas) ? blockAt(canvas, at) : null
      board.select(under ? [under] : [])
      view.element()?.focus({ preventScroll: true })
    },
    onPaneContextMenu: (event) => openMenu(event),
    onNodeContextMenu: (event, { id }) => openMenu(event, id),
    onEdgeContextMenu: (event, { id }) => openMenu(event, undefined, id),
    // A line may end anywhere on a block.
    onConnectEnd: (event, { fromNode }) => {
      const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
      const under = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.react-flow__node')
      if (fromNode && under?.dataset.id) connect(canvas, fromNode.id, under.dataset.id)
    },
  } satisfies Partial<Props>
}
