import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Shapes } from 'lucide-react'
import { useEffect, useState } from 'react'
import { projectRef, projectsNamedQuery } from '../api/projects.ts'
import type { Command } from './commands.ts'

const PAUSE_MS = 120
const FOUND_MAX = 8

/** The projects whose name has what was typed; asked of the server, because nobody has all of them here. */
export function useProjectResults(typed: string): Command[] {
  const navigate = useNavigate()
  const words = usePaused(typed.trim())
  const { data } = useQuery({
    ...projectsNamedQuery(words, FOUND_MAX),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  })
  if (typed.trim() === '' || !data) return []
  return data.items.map((project) => ({
    id: project.id,
    label: project.name,
    mark: project.emoji ?? undefined,
    group: 'Open',
    icon: Shapes,
    run: () => navigate({ to: '/projects/$ref', params: { ref: projectRef(project) } }),
  }))
}

/** What was typed once the typing pauses. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
