import type { ReactFlowProps } from '@xyflow/react'
import { addBlock, connect, edit } from '../actions/editing.ts'
import { connectTo, toolBlockType } from '../actions/tools.ts'
import type { BlockNode, LineEdge } from '../flow/nodes.ts'
import type { OpenCanvas } from '../open-canvas.ts'
import { blockAt, isPainted } from './lod-layer.tsx'

type Props = ReactFlowProps<BlockNode, LineEdge>

/** Identities are stable: handlers read state when called. */
export function pointerHandlers(canvas: OpenCanvas) {
  const { viewModel, ui, store, view, editable } = canvas

  function openMenu(
    event: { clientX: number; clientY: number; preventDefault: () => void },
    block?: string,
    edge?: string,
  ) {
    event.preventDefault()
    const { blocks, edges } = viewModel.selection.get()
    const isSelected = block ? blocks.has(block) : edge ? edges.has(edge) : false
    if (!isSelected) viewModel.select(block ? [block] : [], edge ? [edge] : [])
    ui.menu.set({ x: event.clientX, y: event.clientY })
  }

  return {
    onInit: (flow) => view.attach(flow),
    // Absent if a program moved the view.
    onMoveStart: (event) => {
      if (event) ui.following.set(null)
    },
    onMoveEnd: () => canvas.saveCamera(),
    onNodeMouseEnter: (_, { id }) => ui.hovered.set(id),
    onNodeMouseLeave: (_, { id }) => {
      if (ui.hovered.get() === id) ui.hovered.set(null)
    },
    onNodeClick: (event, { id }) => {
      const blockType = toolBlockType(ui.tool.get())
      if (blockType) addBlock(canvas, blockType, view.at({ x: event.clientX, y: event.clientY }))
      else connectTo(canvas, id)
    },
    onNodeDoubleClick: (_, { id }) => {
      if (store.items.blocks.get(id)?.locked || !editable.get()) return
      viewModel.select([id])
      edit(canvas)
    },
    onEdgeDoubleClick: (_, { id }) => {
      if (editable.get()) ui.editing.set({ id, field: 'label' })
    },
    onPaneClick: (event) => {
      const at = view.at({ x: event.clientX, y: event.clientY })
      const blockType = toolBlockType(ui.tool.get())
      ui.pinned.set(new Set())
      if (blockType) return addBlock(canvas, blockType, at)
      // Touch has no hover, so the painted block isn't a node yet.
      const blockId = isPainted(canvas) ? blockAt(canvas, at) : null
      viewModel.select(blockId ? [blockId] : [])
      view.element()?.focus({ preventScroll: true })
    },
    onPaneContextMenu: (event) => openMenu(event),
    onNodeContextMenu: (event, { id }) => openMenu(event, id),
    onEdgeContextMenu: (event, { id }) => openMenu(event, undefined, id),
    // A connection can end anywhere on a block.
    onConnectEnd: (event, { fromNode }) => {
      const { clientX, clientY } = 'changedTouches' in event ? event.changedTouches[0]! : event
      const node = document.elementFromPoint(clientX, clientY)?.closest<HTMLElement>('.react-flow__node')
      if (fromNode && node?.dataset.id) connect(canvas, fromNode.id, node.dataset.id)
    },
  } satisfies Partial<Props>
}
