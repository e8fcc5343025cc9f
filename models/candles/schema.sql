CREATE SCHEMA IF NOT EXISTS market;
CREATE TABLE market.symbols (symbol VARCHAR, name VARCHAR, venue VARCHAR, sector VARCHAR);
CREATE TABLE market.trades (trade_id BIGINT, symbol VARCHAR, traded_at TIMESTAMP, sequence BIGINT, price DECIMAL(18,4), quantity BIGINT, status VARCHAR);
CREATE TABLE market.quotes (quote_id BIGINT, symbol VARCHAR, quoted_at TIMESTAMP, bid DECIMAL(18,4), ask DECIMAL(18,4));
