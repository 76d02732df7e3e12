const contents = document.getElementById('contents')
const filter = document.getElementById('filter')
const links = [...contents.querySelectorAll('.list a')]

openMovedAnchor()
window.addEventListener('hashchange', openMovedAnchor)
filterContents()
trackCurrentSection()
addCopyButtons()
if (window.CSS?.highlights) highlightCode()

/** The reference was one page; links to an operation on it lead to the page of its resource. */
function openMovedAnchor() {
  const { hash, pathname } = location
  if (!hash || document.getElementById(decodeURIComponent(hash.slice(1)))) return
  const moved = links.find((link) => link.hash === hash && link.pathname !== pathname)
  if (moved) location.replace(moved.href)
}

function filterContents() {
  const rows = [...contents.querySelectorAll('.list li')]
  const sections = [...contents.querySelectorAll('.list section')]
  const none = contents.querySelector('.none')
  const first = () => rows.find((row) => !row.hidden)?.querySelector('a')
  filter.parentElement.hidden = false

  filter.addEventListener('input', () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean)
    for (const row of rows) {
      const title = row.closest('section').querySelector('h2').textContent
      const text = `${title} ${row.textContent} ${row.dataset.words ?? ''}`.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
    }
    for (const section of sections) section.hidden = !section.querySelector('li:not([hidden])')
    contents.classList.toggle('filtering', words.length > 0)
    none.hidden = first() !== undefined
  })
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && filter.value) first()?.click()
    if (event.key === 'Escape' && filter.value) {
      event.preventDefault()
      filter.value = ''
      filter.dispatchEvent(new Event('input'))
    }
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target.closest('input, textarea, select')
    if (event.key !== '/' || isTyping || event.metaKey || event.ctrlKey || event.altKey) return
    event.preventDefault()
    if (getComputedStyle(contents).display === 'none') contents.showPopover()
    filter.focus()
  })
}

/** Highlights the current section in the contents. */
function trackCurrentSection() {
  const onThisPage = links.filter((link) => link.hash && link.pathname === location.pathname)
  const byId = new Map(onThisPage.map((link) => [link.hash.slice(1), link]))
  const headings = [...byId.keys()].map((id) => document.getElementById(id))
  const mark = () => {
    const current = headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0]
    const link = byId.get(current.id)
    if (link.hasAttribute('aria-current')) return
    contents.querySelector('[aria-current="true"]')?.removeAttribute('aria-current')
    link.setAttribute('aria-current', 'true')
    link.scrollIntoView({ block: 'nearest' })
  }
  let isWaiting = false
  document.addEventListener('scroll', () => {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(() => {
      isWaiting = false
      mark()
    })
  })
  mark()
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') && contents.matches(':popover-open')) contents.hidePopover()
  })
}

function addCopyButtons() {
  for (const caption of document.querySelectorAll('figcaption')) {
    const label = caption.textContent.toLowerCase()
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    button.setAttribute('aria-label', `Copy ${label}`)
    button.addEventListener('click', async () => {
      const done = await copy(caption.nextElementSibling.textContent)
      button.textContent = done ? 'Copied' : 'Not copied'
      button.setAttribute('aria-label', `${button.textContent} ${label}`)
      setTimeout(() => {
        button.textContent = 'Copy'
        button.setAttribute('aria-label', `Copy ${label}`)
      }, 2000)
    })
    caption.append(button)
  }
}

/** The clipboard API exists on https and localhost only; execCommand works on other origins. */
async function copy(text) {
  if (navigator.clipboard) {
    return navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    )
  }
  const area = document.createElement('textarea')
  area.value = text
  document.body.append(area)
  area.select()
  const done = document.execCommand('copy')
  area.remove()
  return done
}

/** Uses the CSS Custom Highlight API, so that the page needs no extra markup. */
function highlightCode() {
  const kinds = { name: new Highlight(), string: new Highlight(), word: new Highlight() }
  const token = /("(?:[^"\\\n]|\\.)*")(:)?|(?<=: )(?:true|false|null|\d+)\b/g
  for (const code of document.querySelectorAll('pre code')) {
    for (const { index, 0: found, 1: quoted, 2: colon } of code.textContent.matchAll(token)) {
      const range = new Range()
      range.setStart(code.firstChild, index)
      range.setEnd(code.firstChild, index + (quoted ?? found).length)
      kinds[colon ? 'name' : quoted ? 'string' : 'word'].add(range)
    }
  }
  for (const [kind, highlight] of Object.entries(kinds)) CSS.highlights.set(kind, highlight)
}
