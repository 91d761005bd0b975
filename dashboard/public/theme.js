// Before the first paint, so that a page in the chosen colours never flashes in the others. See src/theme.ts.
{
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
}
