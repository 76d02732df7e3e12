import { Download } from 'lucide-react'
import { Button } from './button.tsx'
import { Menu, MenuAction } from './menu.tsx'

interface ExportMenuProps {
  path: string
  query: Record<string, string | undefined>
  formats: readonly { value: string; label: string }[]
}

/** The browser streams the export to a file. */
export function ExportMenu({ path, query, formats }: ExportMenuProps) {
  const download = (format: string) => {
    const params = Object.entries({ ...query, format }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    const link = document.createElement('a')
    link.href = `${path}?${new URLSearchParams(params)}`
    link.download = ''
    link.click()
  }
  return (
    <Menu
      trigger={
        <Button size="small">
          <Download aria-hidden className="icon" />
          Export
        </Button>
      }
    >
      {formats.map(({ value, label }) => (
        <MenuAction key={value} icon={Download} label={label} onSelect={() => download(value)} />
      ))}
    </Menu>
  )
}
