-- xdscope.lua - xdscope lsp for Neovim 0.11 and later: as lsp/xdscope.lua in a folder of 'runtimepath', such as ~/.config/nvim,
-- with vim.lsp.enable('xdscope') in init.lua; also the entry of nvim-lspconfig.

---@type vim.lsp.Config
return {
  cmd = { 'xdscope', 'lsp' },
  filetypes = { 'yaml', 'json', 'jsonc', 'pbtxt' },
  root_markers = { 'xdscope.conf', '.git' },
}
