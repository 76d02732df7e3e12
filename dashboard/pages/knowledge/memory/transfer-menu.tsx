import { Download, Ellipsis, Upload } from 'lucide-react'
import { useRef } from 'react'
import { api } from '../../../api/client.ts'
import { refreshMemory, scopeParameters } from '../../../api/memory.ts'
import { Button } from '../../../components/button.tsx'
import { Menu, MenuAction } from '../../../components/menu.tsx'
import { toast, toastFailure } from '../../../components/toast.tsx'

/** Exports the memory of a project, or of the organization by default, and imports an export into it. */
export function TransferMenu({ space = 'org', canEdit }: { space: string | undefined; canEdit: boolean }) {
  const input = useRef<HTMLInputElement>(null)
  const download = (format: 'json' | 'markdown') => {
    const query = new URLSearchParams({ format, ...(space !== 'org' && { projectId: space }) })
    window.location.assign(`/api/v1/memory/export?${query}`)
  }
  const upload = async (file: File | undefined) => {
    if (!file) return
    try {
      const { items } = JSON.parse(await file.text()) as Parameters<typeof api.memory.import>[0]
      const { created, replaced, unchanged } = await api.memory.import({ ...scopeParameters(space), items })
      toast(`Imported: ${created} new, ${replaced} replaced, ${unchanged} unchanged`)
      await refreshMemory()
    } catch (error) {
      if (error instanceof SyntaxError) toast('The file is not a JSON export of memory')
      else toastFailure(error)
    }
  }
  const trigger = (
    <Button look="quiet" size="icon" aria-label="Export and import">
      <Ellipsis aria-hidden className="icon" />
    </Button>
  )
  return (
    <>
      <Menu trigger={trigger}>
        <MenuAction icon={Download} label="Export as JSON" onSelect={() => download('json')} />
        <MenuAction icon={Download} label="Export as Markdown" onSelect={() => download('markdown')} />
        {canEdit && <MenuAction icon={Upload} label="Import JSON" onSelect={() => input.current?.click()} />}
      </Menu>
      <input
        ref={input}
        type="file"
        accept="application/json,.json"
        aria-label="JSON export of memory"
        className="hidden"
        onChange={(event) => {
          void upload(event.target.files?.[0])
          event.target.value = ''
        }}
      />
    </>
  )
}
