CREATE TABLE IF NOT EXISTS llama_bench (
  build_commit TEXT
);

INSERT INTO llama_bench (build_commit, build_number, gpu_info, model_type, n_prompt, n_gen, avg_ts) VALUES ('abcdef12', '7000', 'Maker''s GPU', 'llama 8B Q8_0', '0', '64', '77.5');
