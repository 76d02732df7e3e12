import { useNavigate, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useCanvas } from './canvas-context.ts'

/** Opens the pages that actions outside of React request: the panel of a question, and other pages. */
export function useCanvasNavigation() {
  const { ui } = useCanvas()
  const { history } = useRouter()
  const navigate = useNavigate()
  useEffect(() => {
    const stops = [
      ui.agentQuestion.subscribe(() => void navigate({ to: '.', search: { panel: 'ask' } })),
      ui.page.subscribe(() => history.push(ui.page.get())),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [ui, history, navigate])
}
