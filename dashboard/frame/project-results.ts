import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Shapes } from 'lucide-react'
import { useEffect, useState } from 'react'
import { projectRef, projectsNamedQuery } from '../api/projects.ts'
import type { Command } from './commands.ts'

const DEBOUNCE_MS = 120
const RESULTS_MAX = 8

/** Projects whose name matches the palette's input. The server searches: the client never holds the full list. */
export function useProjectResults(typed: string): Command[] {
  const navigate = useNavigate()
  const search = useDebounced(typed.trim())
  const { data } = useQuery({
    ...projectsNamedQuery(search, RESULTS_MAX),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  if (typed.trim() === '' || !data) return []
  return data.items.map((project) => ({
    id: project.id,
    label: project.name,
    emoji: project.emoji ?? undefined,
    group: 'Open',
    icon: Shapes,
    run: () => navigate({ to: '/projects/$ref', params: { ref: projectRef(project) } }),
  }))
}

function useDebounced(text: string): string {
  const [debounced, setDebounced] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setDebounced(text), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return debounced
}
