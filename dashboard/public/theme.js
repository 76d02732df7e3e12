// Runs before the first paint, so that the page never flashes in the other theme.
try {
  const theme = localStorage.getItem('atrium.theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
} catch {
  // Storage is blocked: the preference of the system applies.
}
